-- Rulings.
INSERT INTO ruling (id, owner, at, content) VALUES ('ruling', 'me', '2026-09-03T19:00:00.000+00:00', '{"ruling": {"verdict": "legal"}, "names": {"A": "Żaneta"}}');
INSERT INTO event (match_id, seq, kind, entry, payload, author, at, undoes, form_key) VALUES ('second', 1, 'ruling', NULL, '{"id": "ruling"}', 'me', '2026-09-03T19:01:00.000+00:00', NULL, 'form-1');
