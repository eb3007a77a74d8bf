import { defineMigration } from '@lyceum/core';

/**
 * A chat that was closed keeps its row; the next message opens another one, with a conversation of its own. An answer
 * is a message of direction `out` that names its question; both have one state, and only the question is worked on.
 */
export const createBots = defineMigration({
  id: '001-create-bots',
  up: async (trx) => {
    await trx.raw(`
      create table bots (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        kind text not null check (kind in ('messenger', 'social', 'chat_widget')),
        name text not null,
        enabled boolean not null,
        configuration jsonb not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        modified_at timestamptz(3) not null default clock_timestamp()
      );
      create index bots_site on bots (blog_id, kind, id);
      create table bot_chats (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        bot_id integer not null references bots on delete cascade,
        chat text not null,
        conversation_id uuid,
        closed boolean not null default false,
        touched_at timestamptz(3) not null default clock_timestamp()
      );
      create unique index bot_chats_open on bot_chats (bot_id, chat) where not closed;
      create index bot_chats_idle on bot_chats (blog_id, touched_at);
      create table bot_messages (
        id bigint generated always as identity primary key,
        blog_id integer not null references sites,
        bot_id integer not null references bots on delete cascade,
        chat_id integer references bot_chats on delete set null,
        external_id text,
        chat text not null,
        direction text not null check (direction in ('in', 'out')),
        text text not null,
        state text not null check (state in ('received', 'answering', 'sending', 'sent', 'failed', 'ignored')),
        -- what is to be said: an answer, or words of the bot's own; null: nothing
        wanted text check (wanted in ('answer', 'greeting', 'fallback')),
        -- what the platform wants to hear again beside the text
        address jsonb not null default '{}',
        -- to the tutor and to platforms; an id would be the same again in another installation
        uuid uuid not null default gen_random_uuid(),
        question_id bigint unique references bot_messages on delete cascade,
        job_id uuid,
        parts_sent integer not null default 0,
        attempts integer not null default 0,
        -- tries in vain of what is at hand: of asking, then of each part
        failures integer not null default 0,
        error jsonb,
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp(),
        unique (bot_id, external_id)
      );
      create index bot_messages_list on bot_messages (bot_id, id);
      create index bot_messages_pace on bot_messages (bot_id, chat, created_at)
        where direction = 'in' and state <> 'ignored';
      create index bot_messages_chat on bot_messages (chat_id);
      create index bot_messages_age on bot_messages (blog_id, created_at);
    `);
  },
});
