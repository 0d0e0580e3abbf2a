package crabtalk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// keyed is what a store or a database has of sessions, by keys.
type keyed struct {
	// key is that of a number, see [index].
	key func(n int32) string
	// value is that of a key, at most so many bytes; one that is longer is a [glean.LargeError].
	value func(key string, most int64) ([]byte, error)
	// start is the beginning of it, that many bytes at most.
	start func(key string, most int64) ([]byte, error)
	// missing says what could not be read; empty if all could.
	missing string
	// named tells that an archive is a name in the memory, and never a summary itself.
	named bool
}

// rank is where what a key has stands in a session: its metadata, its archive, its messages, and then what is told of its runs. Of one rank
// they are in the order of their texts.
func rank(key string) int {
	_, below, _ := ofSession(key)
	switch {
	case below == "meta":
		return 0
	case below == archiveName:
		return 1
	case strings.HasPrefix(below, "msg/"):
		return 2
	}
	return runs
}

// runs is the rank of what is told of them, the last of so many ranks.
const (
	runs  = 3
	ranks = runs + 1
)

// peekKeys looks at the metadata of a session, at its first messages, and at what was told of its runs last.
func (k keyed) peekKeys(keys []int32, f *sources.Found) {
	const few, most = 12, 256 << 10
	look := func(key string) {
		if value, err := k.start(key, most); err == nil { // else less is known
			peek(gjson.ParseBytes(jsonl.Closed(value)), rank(key) == 0, f)
		}
	}
	for _, n := range keys[:min(len(keys), few)] {
		if key := k.key(n); rank(key) != runs && f.FirstMessage == "" || rank(key) == 0 {
			look(key)
		}
	}
	for i := len(keys) - 1; i >= max(0, len(keys)-few) && f.Model == ""; i-- {
		key := k.key(keys[i])
		if rank(key) != runs {
			break
		}
		look(key)
	}
}

// stored reads what a session's keys have.
func (r *reader) stored(ctx context.Context, k keyed, keys []int32) error {
	if len(keys) == 0 {
		return sources.ErrGone
	}
	for _, n := range keys {
		key := k.key(n)
		if err := ctx.Err(); err != nil {
			return err
		}
		handle, entry, _ := ofSession(key)
		value, err := k.value(key, sources.LineMost)
		large, tooLarge := errors.AsType[*glean.LargeError](err)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tooLarge:
			r.overlong(entry, large)
		case err != nil:
			r.flush()
			r.log.Lost(err.Error())
		case len(value) == 0:
			r.flush()
			r.log.Lost(entry + " is empty")
		case entry == archiveName:
			r.archive(k, handle, value)
		case !json.Valid(value):
			r.flush()
			r.log.Broken(value)
		default:
			if rank(key) == runs { // which answer a run ended with is not told
				r.flush()
			}
			if err := r.record(gjson.ParseBytes(value), entry); err != nil {
				return err
			}
		}
	}
	if k.missing != "" {
		r.flush()
		r.log.Lost(k.missing)
	}
	return r.log.Err()
}

// archive is what is left of the messages that were compacted: the summary, or the name that it has in the agent's memory, which some
// versions keep in the store as well. The metadata has the last one, too.
func (r *reader) archive(k keyed, handle string, value []byte) {
	text := string(value)
	if json.Valid(value) {
		v := gjson.ParseBytes(value)
		text = jsonl.Text(v)
		for _, name := range []string{"compact", "summary", "text", "content"} {
			if text == "" {
				text = jsonl.Text(v.Get(name))
			}
		}
	}
	realm, _, _ := strings.Cut(keyPrefix(handle), "session/")
	remembered := func(name string) string {
		entry, err := k.value(path.Join(realm, "memory", name), sources.LineMost)
		if err != nil {
			return r.memory.text(name)
		}
		return jsonl.Text(gjson.GetBytes(entry, "content"))
	}
	r.earlier(text, idOf(handle), remembered)
	if summary := remembered(text); summary != "" {
		r.archived(summary, false)
		return
	}
	r.archived(text, (k.named || realm != "" || r.summary != "") && name.MatchString(text))
}

// earlier writes the compactions before the last, of which the memory still has the summaries: their names count them.
func (r *reader) earlier(last, id string, remembered func(name string) string) {
	const most = 1000
	of, counted := strings.CutPrefix(last, slug(id)+"-")
	n, err := strconv.Atoi(of)
	if !counted || err != nil {
		return
	}
	for i := 1; i < min(n, most); i++ {
		if summary := remembered(slug(id) + "-" + strconv.Itoa(i)); summary != "" {
			r.log.Compaction(sources.Compaction{
				Meta: sources.Meta{Entry: archiveName + "/" + strconv.Itoa(i)}, Summary: summary, Frame: asItStands, Trigger: "unknown",
			})
		}
	}
}

// slug is a name as CrabTalk has it in others.
func slug(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.Join(parts, "-"))
}

// name is what an entry of a memory is called, and no summary is: one word.
var name = regexp.MustCompile(`^[\w.:@-]{8,}$`)

// archived writes the compaction. Where the archive is a name in the memory, the metadata has the summary, if anything has.
func (r *reader) archived(text string, named bool) {
	if named {
		text = cmp.Or(r.memory.text(text), r.summary)
	}
	r.log.Compaction(sources.Compaction{Meta: sources.Meta{Entry: archiveName}, Summary: text, Frame: asItStands, Trigger: "unknown"})
}
