-- Links, grants and moves.
UPDATE match SET access = 5 WHERE id = 'theirs';
INSERT INTO link (id, match_id, digest, role, side, once, made_at, revoked_at) VALUES ('once', 'theirs', 'digest of once', 'pencil', NULL, TRUE, '2026-10-01T19:00:00.000+00:00', NULL);
INSERT INTO link (id, match_id, digest, role, side, once, made_at, revoked_at) VALUES ('many', 'theirs', 'digest of many', 'opponent', 'B', FALSE, '2026-10-01T19:01:00.000+00:00', NULL);
INSERT INTO link (id, match_id, digest, role, side, once, made_at, revoked_at) VALUES ('ended', 'theirs', 'digest of ended', 'spectator', NULL, FALSE, '2026-10-01T19:02:00.000+00:00', '2026-10-01T19:03:00.000+00:00');
INSERT INTO match_grant (match_id, browser, id, side, has_pencil, phone, at, revoked_at) VALUES ('theirs', 'me', 'grant-me', 'B', TRUE, 'Android, Chrome', '2026-10-01T19:04:00.000+00:00', NULL);
INSERT INTO match_grant (match_id, browser, id, side, has_pencil, phone, at, revoked_at) VALUES ('theirs', 'gone', 'grant-gone', NULL, FALSE, 'iPhone, Safari', '2026-10-01T19:05:00.000+00:00', '2026-10-01T19:06:00.000+00:00');
INSERT INTO link_use (link_id, grant_id) VALUES ('once', 'grant-me');
INSERT INTO link_use (link_id, grant_id) VALUES ('many', 'grant-me');
INSERT INTO link_use (link_id, grant_id) VALUES ('ended', 'grant-gone');
INSERT INTO move (digest, owner, kind, made_at, ends_at, used_at) VALUES ('words of me', 'me', 'words', '2026-10-02T19:00:00.000+00:00', NULL, NULL);
INSERT INTO move (digest, owner, kind, made_at, ends_at, used_at) VALUES ('used code', 'me', 'code', '2026-10-02T19:00:00.000+00:00', '2026-10-02T19:10:00.000+00:00', '2026-10-02T19:05:00.000+00:00');
