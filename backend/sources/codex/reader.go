package codex

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// reader writes the lines of a thread's files, one file after the other.
type reader struct {
	log *sources.Log `keep:"-"`
	// inherited lines are a parent's: their tokens are not counted here. born is when the thread was, copied that the lines at hand
	// were copied into its file.
	inherited bool
	// prefix sets the entries of a revert's file apart from those it takes the place of.
	prefix string
	number int64
	// lines is the number of the last line of the file, from 0.
	lines  int
	headed bool
	model  record.Model
	told   record.Model
	// counted is the count of tokens that told of another window than the model was known to have, until that is written, and windowed tells
	// that the window that it has is of a count.
	counted  sources.Meta
	windowed bool
	answer   *sources.Message
	results  []piece
	history  *history
	at       moment
	// ahead is what the next answer took, and took the same where it is a parent's; behind that what the one in hand took was told when it
	// was there: nothing more of it comes.
	ahead  *record.Usage
	took   *record.Usage
	behind bool
	// size is what the last answer took with its request, before what the one before it took.
	size     int64
	before   int64
	total    string
	recorded bool
	// paginated tells of a file of the kind that later versions write.
	paginated bool
	failed    map[string]bool
	// started are the threads that calls have started, as events tell.
	started map[string]string
	// row is the line at hand, payload what it holds.
	row, payload jsonl.Fields `keep:"-"`
}

func newReader(log *sources.Log) *reader {
	return &reader{log: log, history: &history{by: siphash.Ours()}, failed: map[string]bool{}, started: map[string]string{}, lines: -1}
}

// numbered takes the next line of a file whose first has this number, unless that is beyond the end; nil is none.
func (r *reader) numbered(line gjson.Result, first int64, c *copies, beyond func() bool) bool {
	rec := r.row.Read(line)
	r.lines++
	r.number = first + int64(r.lines)
	if ordinal := rec.Get("ordinal"); ordinal.Type == gjson.Number {
		r.number = ordinal.Int()
	}
	if beyond != nil && beyond() {
		return false
	}
	inherited := r.inherited
	r.inherited = inherited || c.copied(rec)
	r.line(rec)
	r.inherited = inherited
	return true
}

// line takes one line of a file.
func (r *reader) line(rec *jsonl.Fields) {
	r.history.lines++
	payload, kind := rec.Get("payload"), rec.Get("type").Str
	m := sources.Meta{Time: jsonl.Time(rec.Get("timestamp")), Entry: r.prefix + strconv.FormatInt(r.number, 10), Copied: r.inherited}
	if !payload.IsObject() {
		r.bare(rec, m)
		return
	}
	switch kind {
	case "session_meta":
		r.header(payload, m)
	case "turn_context":
		r.settings(payload, m)
	case "response_item":
		r.item(payload, m)
	case "event_msg":
		r.event(payload, m)
	case "compacted":
		if !compacts(payload) {
			r.note(kind, payload, m, false)
			return
		}
		r.flush()
		r.compacted(payload, m)
	case "token_usage_record":
		r.recorded = true
		r.used(usageOf(payload.Get("usage")))
	case "inter_agent_communication":
		r.sent(payload, m)
	case "world_state":
	default:
		r.note(kind, rec.Result, m, false)
	}
}

// bare is a line of the first generations, which have no envelope.
func (r *reader) bare(rec *jsonl.Fields, m sources.Meta) {
	switch {
	case rec.Get("record_type").Exists():
	case !r.headed && !rec.Get("role").Exists():
		r.header(rec.Result, m)
	default:
		r.item(rec.Result, m)
	}
}

func (r *reader) header(meta gjson.Result, m sources.Meta) {
	r.flush()
	r.paginated = r.paginated || meta.Get("history_mode").Str == "paginated"
	if !r.headed {
		r.headed = true
		r.model.Provider = jsonl.Text(meta.Get("model_provider"))
		if m.Time.IsZero() {
			m.Time = jsonl.Time(meta.Get("timestamp"))
		}
	}
	r.note("session_meta", meta, m, false)
}

func (r *reader) note(kind string, data gjson.Result, m sources.Meta, display bool) {
	r.flush()
	r.log.Note(sources.Note{Meta: m, Namespace: "codex." + kind, Data: json.RawMessage(data.Raw), Display: display})
}

// item takes one that the model saw.
func (r *reader) item(payload gjson.Result, m sources.Meta) {
	item := r.payload.Read(payload)
	pieces, ok := r.pieces(item, payload)
	if !ok {
		r.note(item.Get("type").Str, payload, m, false)
		return
	}
	mark := marksOf(item)
	person := mark.turn && item.Get("role").Str == "user"
	for i, p := range pieces {
		p.Meta = m
		if i > 0 {
			p.Entry += "/" + strconv.Itoa(i)
		}
		switch p.Role {
		case record.RoleAssistant:
			if mark.turn {
				r.flush()
				r.push(node{seq: r.log.Message(p.Message), marks: mark})
			} else {
				r.answered(p, item)
			}
		case record.RoleToolResult:
			r.results = append(r.results, p)
		case record.RoleUser:
			r.flush()
			r.user(p, item, node{marks: mark, said: person && !p.putIn(), injected: p.putIn()})
			mark.turn = false // with the first of its pieces
		}
	}
}

// user takes what is no answer, of which the node knows what it is to Codex.
func (r *reader) user(p piece, item jsonl.Object, n node) {
	switch {
	case n.injected:
		n.text = r.history.injected(strings.Clone(opening(p.text)), p.Content) // not with the line it stood in
	case n.said:
		n.text = r.history.say(remembered(p.text))
	}
	if p.injected {
		by := cmp.Or(item.Get("role").Str, jsonl.Text(item.Get("author")))
		n.seq = r.log.Note(sources.Note{Meta: p.Meta, Namespace: p.namespace, Content: p.Content, Display: p.display, Data: json.RawMessage(quoted(by))})
	} else {
		n.seq = r.log.Message(p.Message)
	}
	r.push(n)
}

func quoted(text string) []byte {
	out, _ := json.Marshal(text) // a text can always be written
	return out
}

// answered puts a part of an answer to the answer in hand: what one request brought is one message. What comes once it was told what that
// took, or what another one did, is another's.
func (r *reader) answered(p piece, item jsonl.Object) {
	another := r.answer != nil && r.answer.Usage != nil && (r.behind || r.ahead != nil)
	if r.answer == nil || another || len(r.results) > 0 {
		r.flush()
		r.answer = &sources.Message{Meta: p.Meta, Role: record.RoleAssistant, Model: p.Model, Provider: p.Provider}
		if !theirs(r.ahead) || p.Copied {
			r.answer.Usage, r.answer.Took = r.ahead, r.took
		}
		r.ahead, r.took, r.behind = nil, nil, false
	}
	r.answer.Content = append(r.answer.Content, p.Content...)
	if secret := item.Get("encrypted_content"); secret.Type == gjson.String {
		if r.answer.More == nil {
			r.answer.More = map[string]json.RawMessage{}
		}
		r.answer.More["encrypted_content"] = json.RawMessage(secret.Raw)
	}
}

// flush writes the answer in hand and its results. Until then, what it took in tokens may still be told.
func (r *reader) flush() {
	answer, results := r.answer, r.results
	r.answer, r.results = nil, nil
	if answer != nil && len(answer.Content) > 0 {
		if slices.ContainsFunc(answer.Content, func(b sources.Block) bool { return b.Type == "toolCall" }) {
			answer.StopReason = "toolUse"
		}
		m := *answer // which may be written again
		m.Usage = own(m.Usage)
		r.push(node{seq: r.log.Message(m)})
	}
	for _, p := range results {
		r.push(node{seq: r.log.Message(p.Message)})
	}
	r.tellWindow()
}
