import { defineMigration } from '@lyceum/core';

/** Links with the hash of their token; the token itself stands nowhere but in the link. */
export const createMagicLinks = defineMigration({
  id: '001-magic-links',
  up: async (trx) => {
    await trx.raw(`
      create table magic_links (
        id integer generated always as identity primary key,
        blog_id integer not null references sites,
        user_id integer not null references users on delete cascade,
        -- made for a member: the link ends with his membership, and does not come back with a new one
        for_member boolean not null,
        member_blog_id integer,
        member_user_id integer,
        -- SHA-256; null until the mail is written
        token_hash bytea,
        created_by integer not null,
        delivery text not null check (delivery in ('mail', 'url')),
        redirect text,
        status text not null check (status in ('pending', 'live', 'failed', 'consumed', 'revoked')),
        -- seconds, counted from the moment when the mail goes out
        lifetime integer not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        expires_at timestamptz(3) not null,
        consumed_at timestamptz(3),
        consumed_ip text,
        revoked_at timestamptz(3),
        foreign key (member_blog_id, member_user_id) references memberships (blog_id, user_id) on delete set null
      );
      create unique index magic_links_token on magic_links (token_hash) where token_hash is not null;
      create index magic_links_site on magic_links (blog_id, id);
      create index magic_links_user on magic_links (user_id, blog_id, id);
      create index magic_links_member on magic_links (member_blog_id, member_user_id)
        where member_user_id is not null;
      create index magic_links_expiry on magic_links (expires_at);
    `);
  },
});
