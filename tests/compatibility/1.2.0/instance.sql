BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
CREATE TABLE erased (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_erased PRIMARY KEY (id)
);
INSERT INTO "erased" VALUES('7RvL0xdTBM119gCmTsTqZQ','414872c4f5de13ca61adbf969fef69a704ed6d4e802c132ce1fac2c58fc8a92b');
CREATE TABLE event (
	match_id VARCHAR(64) NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	entry INTEGER, 
	payload JSON, 
	author VARCHAR(64) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	undoes INTEGER, 
	form_key VARCHAR(64) NOT NULL, arrived_at VARCHAR(32), 
	CONSTRAINT pk_event PRIMARY KEY (match_id, seq), 
	CONSTRAINT fk_event_match_id FOREIGN KEY(match_id) REFERENCES "match" (id), 
	CONSTRAINT uq_event_match_id_form_key UNIQUE (match_id, form_key)
);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',1,'draft',NULL,'{"type": "deal", "note": "half"}','the browser of Ewa','2026-11-20T19:04:00.000+00:00',NULL,'-yHJzl 1',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',2,'draft',NULL,NULL,'the browser of Ewa','2026-11-20T19:05:00.000+00:00',NULL,'-yHJzl 2',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',3,'add',NULL,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}','the browser of Ewa','2026-11-20T19:06:00.000+00:00',NULL,'-yHJzl 3',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',4,'add',NULL,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 62, "B": 100}}','the browser of Ewa','2026-11-20T19:07:00.000+00:00',NULL,'-yHJzl 4',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',5,'amend',3,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 83, "B": 64}, "note": "counted again"}','the browser of Ewa','2026-11-20T19:08:00.000+00:00',NULL,'-yHJzl 5',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',6,'agree',4,'{"side": "B"}','the browser of Jan','2026-11-20T19:09:00.000+00:00',NULL,'-yHJzl 6',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',7,'object',3,'{"side": "B", "reason": "count", "text": "the last trick", "totals": {"A": 80, "B": 67}}','the browser of Jan','2026-11-20T19:10:00.000+00:00',NULL,'-yHJzl 7',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',8,'ruling',3,'{"id": "OJOprjTq--RmI4e7Oy-B9w", "question": "Who takes the trick?", "verdict": "Jan takes it.", "why": "The highest trump takes it: J\u2665.", "rules": ["derda.play.trick"], "rulebook": "1", "objection": 7}','the browser of Ewa','2026-11-20T19:11:00.000+00:00',NULL,'-yHJzl 8',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',9,'object',4,'{"side": "A", "reason": "runs"}','the browser of Ewa','2026-11-20T19:12:00.000+00:00',NULL,'-yHJzl 9',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',10,'settle',4,'{"objection": 9}','the browser of Ewa','2026-11-20T19:13:00.000+00:00',NULL,'-yHJzl 10',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',11,'withdraw',4,NULL,'the browser of Ewa','2026-11-20T19:14:00.000+00:00',NULL,'-yHJzl 11',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',12,'restore',4,NULL,'the browser of Ewa','2026-11-20T19:15:00.000+00:00',NULL,'-yHJzl 12',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',13,'add',NULL,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 100, "B": 62}}','the browser of Ewa','2026-11-20T19:16:00.000+00:00',NULL,'-yHJzl 13',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',14,'withdraw',13,NULL,'the browser of Ewa','2026-11-20T19:17:00.000+00:00',13,'-yHJzl 14',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',15,'ruling',NULL,'{"id": "OJOprjTq--RmI4e7Oy-B9w", "question": "Who takes the trick?", "verdict": "Jan takes it.", "why": "The highest trump takes it: J\u2665.", "rules": ["derda.play.trick"], "rulebook": "1"}','the browser of Ewa','2026-11-20T19:18:00.000+00:00',NULL,'-yHJzl 15',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',16,'ruling',NULL,NULL,'the browser of Ewa','2026-11-20T19:19:00.000+00:00',15,'-yHJzl 16',NULL);
INSERT INTO "event" VALUES('-yHJzlcEOZB3xf3IePuZ9A',17,'head',NULL,'{"players": ["Ewelina", "Jan"], "place": null}','the browser of Ewa','2026-11-20T19:20:00.000+00:00',NULL,'-yHJzl 17',NULL);
INSERT INTO "event" VALUES('xgOoWbZj4IXXm99kbud-LQ',1,'add',NULL,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90, "B": 72}}','the browser of Ewa','2026-11-20T19:27:00.000+00:00',NULL,'xgOoWb 1',NULL);
INSERT INTO "event" VALUES('vde6GpG71r0jqzQLYq5STw',1,'add',NULL,'{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90, "B": 72}}','the browser of Ewa','2026-11-20T19:30:00.000+00:00',NULL,'vde6Gp 1',NULL);
INSERT INTO "event" VALUES('0FN3RWctN6O96jL7OFHyDw',1,'add',NULL,'{"contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 61, "B": 101}, "type": "deal"}','the browser of Ewa','2026-11-20T19:32:00.000+00:00',NULL,'99074e71a5bf writes 1001','2026-11-29T22:06:57.906+00:00');
INSERT INTO "event" VALUES('0FN3RWctN6O96jL7OFHyDw',2,'add',NULL,'{"contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 100, "B": 62}, "type": "deal"}','the browser of Ewa','2026-11-20T19:32:00.000+00:00',NULL,'99074e71a5bf writes 1002','2026-11-29T22:06:57.970+00:00');
CREATE TABLE link (
	id VARCHAR(64) NOT NULL, 
	match_id VARCHAR(64) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	side VARCHAR(1), 
	once BOOLEAN NOT NULL, 
	made_at VARCHAR(32) NOT NULL, 
	revoked_at VARCHAR(32), 
	CONSTRAINT pk_link PRIMARY KEY (id), 
	CONSTRAINT fk_link_match_id FOREIGN KEY(match_id) REFERENCES "match" (id), 
	CONSTRAINT uq_link_digest UNIQUE (digest)
);
INSERT INTO "link" VALUES('l0IRMqjpBpCagJvYjTCYzQ','-yHJzlcEOZB3xf3IePuZ9A','1d88ef52db5d090cf4adec8eeb18feb065f32a074ed59f297169e06a859e7324','pencil','B',1,'2026-11-20T19:01:00.000+00:00',NULL);
CREATE TABLE link_use (
	link_id VARCHAR(64) NOT NULL, 
	grant_id VARCHAR(64) NOT NULL, match_id VARCHAR(64), 
	CONSTRAINT pk_link_use PRIMARY KEY (link_id, grant_id), 
	CONSTRAINT fk_link_use_link_id FOREIGN KEY(link_id) REFERENCES link (id), 
	CONSTRAINT fk_link_use_grant_id FOREIGN KEY(grant_id) REFERENCES match_grant (id)
);
INSERT INTO "link_use" VALUES('l0IRMqjpBpCagJvYjTCYzQ','-JJjehHPtzTyMIfF','-yHJzlcEOZB3xf3IePuZ9A');
CREATE TABLE "match" (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	head JSON NOT NULL, 
	rulebook VARCHAR(16) DEFAULT '' NOT NULL, 
	created_at VARCHAR(32) NOT NULL, 
	changed_at VARCHAR(32) NOT NULL, 
	cache JSON, 
	cached INTEGER NOT NULL, access INTEGER DEFAULT '0' NOT NULL, put_away_at VARCHAR(32), deleted_at VARCHAR(32), searched TEXT, follows VARCHAR(80), visibility_at VARCHAR(32), 
	CONSTRAINT pk_match PRIMARY KEY (id)
);
INSERT INTO "match" VALUES('-yHJzlcEOZB3xf3IePuZ9A','the browser of Ewa','{"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "place": "\u0141\u00f3d\u017a"}','2','2026-11-20T19:00:00.000+00:00','2026-11-20T19:20:00.000+00:00',NULL,0,2,NULL,NULL,'ewa jan łódź derda 2026-11-20 ewelina',NULL,NULL);
INSERT INTO "match" VALUES('xgOoWbZj4IXXm99kbud-LQ','the browser of Ewa','{"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "place": "\u0141\u00f3d\u017a"}','2','2026-11-20T19:26:00.000+00:00','2026-11-20T19:27:00.000+00:00',NULL,0,1,'2026-11-20T19:28:00.000+00:00',NULL,'ewa jan łódź derda 2026-11-20',NULL,'2026-11-20T19:28:00.000+00:00');
INSERT INTO "match" VALUES('vde6GpG71r0jqzQLYq5STw','the browser of Ewa','{"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "place": "\u0141\u00f3d\u017a"}','2','2026-11-20T19:29:00.000+00:00','2026-11-20T19:30:00.000+00:00',NULL,0,1,NULL,'2026-11-20T19:31:00.000+00:00','ewa jan łódź derda 2026-11-20',NULL,'2026-11-20T19:31:00.000+00:00');
INSERT INTO "match" VALUES('0FN3RWctN6O96jL7OFHyDw','the browser of Ewa','{"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "place": "\u0141\u00f3d\u017a"}','2','2026-11-20T19:32:00.000+00:00','2026-11-29T22:06:57.970+00:00',NULL,0,0,NULL,NULL,'ewa jan łódź derda 2026-11-20',NULL,NULL);
CREATE TABLE match_grant (
	match_id VARCHAR(64) NOT NULL, 
	browser VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	side VARCHAR(1), 
	has_pencil BOOLEAN NOT NULL, 
	phone VARCHAR(80) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	revoked_at VARCHAR(32), listed_at VARCHAR(32), 
	CONSTRAINT pk_match_grant PRIMARY KEY (match_id, browser), 
	CONSTRAINT fk_match_grant_match_id FOREIGN KEY(match_id) REFERENCES "match" (id), 
	CONSTRAINT uq_match_grant_id UNIQUE (id)
);
INSERT INTO "match_grant" VALUES('-yHJzlcEOZB3xf3IePuZ9A','the browser of Jan','-JJjehHPtzTyMIfF','B',1,'Jan''s phone','2026-11-20T19:02:00.000+00:00',NULL,'2026-11-20T19:20:00.000+00:00');
CREATE TABLE move (
	digest VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	made_at VARCHAR(32) NOT NULL, 
	ends_at VARCHAR(32), 
	used_at VARCHAR(32), generation INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_move PRIMARY KEY (digest)
);
INSERT INTO "move" VALUES('ec72c6a578f8d6559fe141661050985656c41c835444914a4d2b458ff561ee8d','the browser of Ewa','words','2026-11-20T19:22:00.000+00:00',NULL,NULL,0);
CREATE TABLE renewal (
	owner VARCHAR(64) NOT NULL, 
	generation INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_renewal PRIMARY KEY (owner)
);
INSERT INTO "renewal" VALUES('somebody signed out',1,'0c741eb87b0f9576a847db05c32468c45804f203486c5d88f9cab1c31f2a5836','2026-11-20T19:25:00.000+00:00');
CREATE TABLE ruling (
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	content JSON NOT NULL, 
	CONSTRAINT pk_ruling PRIMARY KEY (id)
);
INSERT INTO "ruling" VALUES('OJOprjTq--RmI4e7Oy-B9w','the browser of Ewa','2026-11-20T19:03:00.000+00:00','{"request": {"game": "derda", "question": "trick", "leader": "A", "trump": "H", "trick": ["AH", "JH"]}, "query": [["leader", "A"], ["trump", "H"]], "names": {"A": "Ewa", "B": "Jan"}, "ruling": {"verdict": "B takes it", "rules": [{"id": "derda.play.trick", "text": "\u2026"}]}, "asked": "Who takes the trick?", "said": "Jan takes it.", "why": "The highest trump takes it: J\u2665.", "rulebook": "1", "match": null}');
INSERT INTO "ruling" VALUES('SF9w1syxia0yqyM6zaB4IQ','the browser of Ewa','2026-11-20T19:21:00.000+00:00','{"request": {"game": "derda", "question": "trick", "leader": "A", "trump": "H", "trick": ["AH", "JH"]}, "query": [["leader", "A"], ["trump", "H"]], "names": {"A": "Ewa", "B": "Jan"}, "ruling": {"verdict": "B takes it", "rules": [{"id": "derda.play.trick", "text": "\u2026"}]}, "asked": "Who takes the trick?", "said": "Jan takes it.", "why": "The highest trump takes it: J\u2665.", "rulebook": "1", "match": null}');
CREATE TABLE token (
	digest VARCHAR(64) NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	match_id VARCHAR(64), 
	role VARCHAR(16) NOT NULL, 
	side VARCHAR(1), 
	made_at VARCHAR(32) NOT NULL, 
	used_at VARCHAR(32), 
	revoked_at VARCHAR(32), ends_at VARCHAR(32), generation INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_token PRIMARY KEY (digest)
);
INSERT INTO "token" VALUES('205e61ad0d857d8fa3c2848b389cbe824b956f127cf64c26846d35f443f04326','205e61ad0d85','the browser of Ewa','-yHJzlcEOZB3xf3IePuZ9A','pencil',NULL,'2026-11-20T19:23:00.000+00:00',NULL,NULL,'2027-11-20T19:24:00.000+00:00',0);
CREATE INDEX ix_match_owner ON "match" (owner);
CREATE INDEX ix_ruling_owner ON ruling (owner);
CREATE INDEX ix_link_match_id ON link (match_id);
CREATE INDEX ix_match_grant_browser ON match_grant (browser);
CREATE INDEX ix_link_use_grant_id ON link_use (grant_id);
CREATE INDEX ix_move_owner ON move (owner);
CREATE UNIQUE INDEX uq_move_words ON move (owner) WHERE kind = 'words' AND used_at IS NULL;
CREATE TRIGGER fill_link_use AFTER INSERT ON link_use WHEN NEW.match_id IS NULL BEGIN UPDATE link_use SET match_id = (SELECT match_id FROM link WHERE link.id = NEW.link_id) WHERE link_id = NEW.link_id AND grant_id = NEW.grant_id; END;
CREATE INDEX ix_match_listed ON "match" (owner, changed_at, id, searched, put_away_at, deleted_at) WHERE put_away_at IS NULL AND deleted_at IS NULL;
CREATE INDEX ix_match_unfilled ON "match" (owner) WHERE searched IS NULL;
CREATE INDEX ix_match_follows ON "match" (follows) WHERE follows IS NOT NULL;
CREATE INDEX ix_match_grant_listed ON match_grant (browser, listed_at, match_id) WHERE revoked_at IS NULL;
CREATE INDEX ix_match_grant_unlisted ON match_grant (browser) WHERE listed_at IS NULL;
CREATE INDEX ix_link_use_match_id ON link_use (match_id);
CREATE INDEX ix_match_hidden ON "match" (owner) WHERE put_away_at IS NOT NULL OR deleted_at IS NOT NULL;
CREATE INDEX ix_token_owner ON token (owner);
COMMIT;
