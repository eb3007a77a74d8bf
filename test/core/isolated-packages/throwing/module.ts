throw new Error('as the test wants it');
