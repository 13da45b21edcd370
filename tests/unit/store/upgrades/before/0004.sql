-- Matches that were put away, or deleted.
INSERT INTO match (id, owner, head, created_at, changed_at, cached, put_away_at) VALUES ('away', 'me', '{"game": "derda", "players": ["Jan", "Ewa"], "first_dealer": "A"}', '2026-11-01T19:00:00.000+00:00', '2026-11-01T19:00:00.000+00:00', 0, '2026-11-02T19:00:00.000+00:00');
INSERT INTO match (id, owner, head, created_at, changed_at, cached, deleted_at) VALUES ('binned', 'me', '{"game": "derda", "players": ["Jan", "Ewa"], "first_dealer": "A"}', '2026-11-01T19:30:00.000+00:00', '2026-11-01T19:30:00.000+00:00', 0, '2026-11-02T19:00:00.000+00:00');
