/** Type of the job that removes files; in a file of its own, since what enqueues it is part of what it uses. */
export const removeFilesJob = 'embed_packages.remove_files';
