package index

// version is that of the schema and of what is in the blobs. An older one is begun anew with what can be read of it: rows and blocks of
// versions 1 and 2 are like these, but that there are no pieces.
const version = 3

// The planes and bodies are keyed by numbers that are never given twice, so that who has an old picture of the index finds nothing
// in their place, and not something else.
var schema = []string{
	`CREATE TABLE state (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		version INTEGER NOT NULL, -- of what is in the index: every change adds one
		next INTEGER NOT NULL,    -- the next number for a write, a block or a sheet
		packs INTEGER NOT NULL,   -- how often blocks were moved or taken out
		removals INTEGER NOT NULL,-- how often sessions were
		sessions INTEGER NOT NULL,
		loose INTEGER NOT NULL,
		small INTEGER NOT NULL,   -- of the loose blocks, those that are not full
		sheets INTEGER NOT NULL,
		text INTEGER NOT NULL,    -- bytes in all blocks
		live INTEGER NOT NULL,    -- bytes of sessions as they are
		sum INTEGER NOT NULL)`,
	`CREATE TABLE sessions (
		row INTEGER PRIMARY KEY,  -- a new one whenever a session is put: what came with another is dead
		id TEXT NOT NULL UNIQUE,
		stamp TEXT NOT NULL,
		updated INTEGER NOT NULL,
		read INTEGER NOT NULL,    -- how far its log was
		gone INTEGER NOT NULL,
		texts INTEGER NOT NULL,   -- how many
		named INTEGER NOT NULL,   -- names among the texts before this are dead
		bytes INTEGER NOT NULL,   -- of its texts
		changed INTEGER NOT NULL, -- the version of the index that brought this row
		pieces INTEGER NOT NULL,  -- how many there are
		sum INTEGER NOT NULL,
		digest BLOB NOT NULL)`,
	`CREATE INDEX changes ON sessions (changed)`,
	// What of digests is kept beside them, by a number made of that of the row and their place.
	`CREATE TABLE pieces (piece INTEGER PRIMARY KEY, row INTEGER NOT NULL, data BLOB NOT NULL)`,
	// Rows and writes whose texts are being written, or never will be because who did it was killed. Nothing of them shows yet.
	`CREATE TABLE pending (number INTEGER PRIMARY KEY, at INTEGER NOT NULL)`,
	`CREATE TABLE bodies (block INTEGER PRIMARY KEY, body BLOB NOT NULL)`,
	`CREATE TABLE loose (block INTEGER PRIMARY KEY, full INTEGER NOT NULL, about BLOB NOT NULL, bits BLOB NOT NULL)`,
	`CREATE TABLE sheets (sheet INTEGER PRIMARY KEY, abouts BLOB NOT NULL)`,
	`CREATE TABLE planes (plane INTEGER PRIMARY KEY, bits BLOB NOT NULL)`,
	overwritesTable,
}

// overwritesTable is empty. That it is there says that whatever was deleted from the database since it was begun was overwritten.
const overwritesTable = "CREATE TABLE overwrites (id INTEGER PRIMARY KEY)"
