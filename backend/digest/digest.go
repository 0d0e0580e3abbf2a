package digest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Version is that of digests. One of another version is made anew.
const Version = 21

// Digest is what is known of a session without its log.
type Digest struct {
	// These stand first, for [BriefOf].
	Messages    int `json:"m"`
	Compactions int `json:"c"`
	Lines       int `json:"lines"`
	// Model is the one in force at the end.
	Model string `json:"model"`
	// From is the session that what it says was copied from, where only the names of that tell.
	From    string `json:"from,omitempty"`
	Version int    `json:"v"`
	// Skip says why the session's texts are not in the index, and Why in the words of what went wrong; empty if they are.
	Skip string `json:"skip,omitempty"`
	Why  string `json:"why,omitempty"`
	// GoneAt is when the session was first seen to be gone.
	GoneAt *time.Time `json:"goneAt,omitempty"`
	// Outlives is the stamp of the copy that is left of the session and has less than this.
	Outlives string `json:"outlives,omitempty"`
	About    About  `json:"about"`

	// Last is the latest time of a record, which is not always that of the last message.
	Last time.Time `json:"last,omitzero"`
	// Spoke is when a person or a model said something last: what was found of a session that grew since does not tell.
	Spoke time.Time `json:"spoke,omitzero"`

	Prompts int   `json:"prompts"`
	Bytes   int64 `json:"bytes"`
	// Damaged are lines that nobody can read, Large texts that are in the index only with what stands on the line.
	Damaged int `json:"damaged,omitempty"`
	Large   int `json:"large,omitempty"`
	// Days are of the time zone that [Zone] names.
	Days []Day  `json:"days,omitempty"`
	Zone string `json:"zone,omitempty"`
	// Inherited is what another session counts, if that is known, and Copies the same record by record. Said names what is counted here.
	Inherited []Day  `json:"inherited,omitempty"`
	Copies    Copies `json:"copied,omitempty"`
	Said      Names  `json:"said,omitempty"`
	// Parts are what is counted of each of those that Said names, where copies of them may be told by their names.
	Parts  Copies       `json:"parts,omitempty"`
	Ledger []Compaction `json:"ledger,omitempty"`
	Spans  Spans        `json:"spans,omitempty"`
	// Apart are the fates of those texts of which index.Text.Part is the number.
	Apart Spans `json:"apart,omitempty"`
	// Away is how many pieces of these lists were put away: of all that it says, only the ends are here then.
	Away     int     `json:"away,omitempty"`
	Thinker  Thinker `json:"thinker,omitzero"`
	Continue *Mark   `json:"next,omitempty"`
	// Edge is a checksum of the files that it was made of, 0 if none was taken.
	Edge uint32 `json:"edge,omitempty"`

	early *early
}

// Reasons of Skip.
const (
	SkipTooLarge   = "tooLarge"
	SkipDamaged    = "damaged"
	SkipUnreadable = "unreadable"
)

// About is what lists show of a session that is gone. Away is when it was archived, if that is known.
type About struct {
	Agent    string    `json:"agent"`
	Title    string    `json:"title,omitempty"`
	First    string    `json:"first,omitempty"`
	Cwd      string    `json:"cwd,omitempty"`
	Model    string    `json:"model,omitempty"`
	Created  time.Time `json:"created,omitzero"`
	Updated  time.Time `json:"updated,omitzero"`
	Parent   string    `json:"parent,omitempty"`
	Relation string    `json:"relation,omitempty"`
	Imported string    `json:"imported,omitempty"`
	Archived bool      `json:"archived,omitempty"`
	Away     time.Time `json:"away,omitzero"`
	Release  string    `json:"release,omitempty"`
	Path     string    `json:"path,omitempty"`
	Key      string    `json:"key,omitempty"`
	Source   string    `json:"source,omitempty"`
}

// Day is what happened on one day with one model. The model is that of the answers; what came before the first of them is counted
// with it.
type Day struct {
	Day   string `json:"d"`
	Model string `json:"o,omitempty"`
	Sum
	Tools map[string]Tool `json:"t,omitempty"`
}

// Sum is a number of messages and what they took. Usage is nil where no answer reports any. Cost is that of the answers that tell.
type Sum struct {
	Messages    int      `json:"m,omitempty"`
	Prompts     int      `json:"p,omitempty"`
	Compactions int      `json:"c,omitempty"`
	Usage       *Usage   `json:"u,omitempty"`
	Cost        *float64 `json:"$,omitempty"`
	// Answers are those that report usage, Priced those of them that also say what it cost.
	Answers int `json:"a,omitempty"`
	Priced  int `json:"r,omitempty"`
	// Untold are the answers of a model that report none.
	Untold int `json:"n,omitempty"`
	// UntoldKinds are those that report usage and leave a kind out.
	UntoldKinds record.ByKind `json:"l,omitzero"`
}

// Usage is tokens by kind; Untold are the kinds that no answer says anything of.
type Usage struct {
	Input      int64 `json:"i,omitempty"`
	Output     int64 `json:"o,omitempty"`
	CacheRead  int64 `json:"r,omitempty"`
	CacheWrite int64 `json:"w,omitempty"`

	Untold record.Kinds `json:"x,omitempty"`
}

// Tool is how often one was called, and how often that failed.
type Tool struct {
	Calls  int `json:"n"`
	Errors int `json:"e,omitempty"`
}

// Compaction is one of the ledger.
type Compaction struct {
	Seq     int64      `json:"s"`
	Line    int        `json:"l"`
	Time    *time.Time `json:"t,omitempty"`
	Trigger string     `json:"by,omitempty"`
	Model   string     `json:"o,omitempty"`
	Before  *int64     `json:"b,omitempty"`
	After   *int64     `json:"a,omitempty"`
	// Messages are those that it took out of the context, nil where that is not told.
	Messages *int `json:"m,omitempty"`
	// State is one of those of compactions in docs/http.md.
	State string `json:"st"`
	// Said is its name, and Copied tells that it is among the copies.
	Said   Said `json:"k,omitempty"`
	Copied bool `json:"x,omitempty"`
}

// Mark is where reading goes on when something was appended.
type Mark struct {
	// Size is how far the log was read: whole lines. Sum is a checksum of that, of a log that only grows by package edge.
	Size int64  `json:"n"`
	Sum  uint32 `json:"x"`
	// Turn and Line are the offset and the index of the last message of a person, where calls that are open are rare, or of an answer before which none
	// is open since that: a person's turn may be long.
	Turn int64 `json:"at"`
	Line int   `json:"l"`
	// Day is that of the last record that has one.
	Day string `json:"d,omitempty"`
	// Behind names what was asked last, by the answer that it stands behind.
	Behind Said `json:"b,omitempty"`
	// At is when the last record was said, in milliseconds; 0 where that is not known.
	At int64 `json:"m,omitempty"`
	// Apart is how many texts fare otherwise than their line.
	Apart int `json:"a,omitempty"`
}

// Encode writes a digest.
func (d *Digest) Encode() []byte { return encoded(d) }

func encoded(what any) []byte {
	text, err := json.Marshal(what)
	if err != nil { // numbers that are finite always can be encoded
		panic(fmt.Sprintf("digest: %v", err))
	}
	return text
}

// Decode reads one. One of another version is none.
func Decode(text []byte) (*Digest, error) {
	d, err := Recall(text)
	if err == nil && d.Version != Version {
		return nil, fmt.Errorf("reading a digest: it has version %d, not %d", d.Version, Version)
	}
	return d, err
}

// Recall is [Decode] of a digest that may be of an older version: of a session that can't be read again, it is all that is known.
func Recall(text []byte) (*Digest, error) {
	var d Digest
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("reading a digest: %w", err)
	}
	if d.Version > Version {
		return nil, fmt.Errorf("reading a digest: it has version %d, and %d is the newest that is known", d.Version, Version)
	}
	return &d, nil
}

// Brief is what lists want of a digest.
type Brief struct {
	Messages, Compactions, Lines int
	Model, From                  string
}

// BriefOf reads the beginning of a digest, and no more; false if it is none.
func BriefOf(text []byte) (b Brief, ok bool) {
	gjson.Parse(unsafe.String(unsafe.SliceData(text), len(text))).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "m":
			b.Messages = int(value.Int())
		case "c":
			b.Compactions = int(value.Int())
		case "lines":
			b.Lines = int(value.Int())
		case "model":
			b.Model = strings.Clone(value.Str)
		case "from":
			b.From = strings.Clone(value.Str)
		case "v":
			ok = value.Int() == Version
			return false
		}
		return true
	})
	return b, ok
}
