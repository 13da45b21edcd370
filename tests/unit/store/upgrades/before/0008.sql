-- A deal that a phone recorded without network, and that arrived the next day.
INSERT INTO event (match_id, seq, kind, payload, author, at, form_key, arrived_at) VALUES ('second', 2, 'add', '{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}', 'me', '2026-11-20T19:00:00.000+00:00', 'form-late', '2026-11-21T08:00:00.000+00:00');
