package sources

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"

	"palimpsest/backend/record"
	"palimpsest/backend/wellformed"
)

// Log takes the reading of one session, and writes it as a log of ours. The first error of its writer stays, and nothing is written
// after it: a source can leave looking to [Log.Err] at the end, or now and then in a long file.
type Log struct {
	agent, session string
	out            io.Writer
	keep           func(data []byte) (sha string, err error)
	seq            int64
	damaged        int
	err            error
	// line is the record that is being written.
	line []byte
	show Show
	// past is what was said so far.
	past *Past
}

// NewLog writes to out, and hands what does not belong on a line to keep, which returns its SHA-256 in hex.
func NewLog(agent, session string, out io.Writer, keep func(data []byte) (sha string, err error)) *Log {
	return &Log{agent: agent, session: session, out: out, keep: keep, past: &Past{}}
}

// Aside is a log for what is read once more: it goes nowhere, but for what is kept beside the log.
func (l *Log) Aside() *Log { return NewLog(l.agent, l.session, io.Discard, l.keep) }

// Next is the seq that the next record gets.
func (l *Log) Next() int64 { return l.seq + 1 }

// Damaged is how many lines nobody could read.
func (l *Log) Damaged() int { return l.damaged }

// Err is the first error of the writer.
func (l *Log) Err() error { return l.err }

// Broken keeps a line that is no JSON where it stands.
func (l *Log) Broken(line []byte) {
	line = bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, line)
	if len(bytes.Trim(line, " \t\x00")) == 0 {
		return // blank lines and what a power cut leaves are no news
	}
	if wellformed.JSON(line) { // it must not pass for a record
		line = append([]byte("? "), line...)
	}
	l.damaged++
	l.write(line)
	if l.show != nil && l.err == nil {
		l.fail(l.show(line, nil, false))
	}
}

// Lost keeps a line that says what is not there, and why.
func (l *Log) Lost(reason string) { l.Broken(record.LeftOut(reason)) }

// Message adds one, and returns its seq.
func (l *Log) Message(m Message) int64 {
	w := l.wire(record.TypeMessage, m.Meta)
	l.seq = w.Seq
	w.message(&m)
	w.Origin.Took = Plausible(m.Took)
	l.put(&w, m.More)
	return w.Seq
}

// tokensMost is more than any request has had tokens.
const tokensMost = 1_000_000_000

// Plausible is a usage, or nil for one that no request can have had: damaged files have told of such.
func Plausible(u *record.Usage) *record.Usage {
	if u == nil || min(u.Input, u.Output, u.CacheRead, u.CacheWrite) < 0 || max(u.Input, u.Output, u.CacheRead, u.CacheWrite) > tokensMost {
		return nil
	}
	return u
}

// Compaction adds one, and returns its seq.
func (l *Log) Compaction(c Compaction) int64 {
	w := l.wire(record.TypeCompaction, c.Meta)
	first := c.FirstKept
	if first < 1 || first > w.Seq {
		first = w.Seq
	}
	if c.TokensAfter != nil && (*c.TokensAfter < 0 || *c.TokensAfter > tokensMost) {
		c.TokensAfter = nil
	}
	read, modified := orNone(c.ReadFiles), orNone(c.ModifiedFiles)
	w.FirstKeptSeq, w.Summary, w.Frame, w.TokensAfter = first, &c.Summary, c.Frame, c.TokensAfter
	if 0 < c.TokensBefore && c.TokensBefore <= tokensMost { // else it is unknown, which is not 0
		w.TokensBefore = &c.TokensBefore
	}
	w.ReadFiles, w.ModifiedFiles, w.Trigger, w.Instructions = &read, &modified, c.Trigger, c.Instructions
	w.Model, w.Usage, w.ActiveModel = c.Model, Plausible(c.Usage), c.ActiveModel
	for i := range c.Replacement {
		var part wire
		part.message(&c.Replacement[i])
		w.Replacement = append(w.Replacement, part)
	}
	if c.Kept == nil {
		w.KeptSeqs = l.past.find(w.Replacement)
	}
	for _, seq := range c.Kept {
		if 0 < seq && seq < w.Seq {
			w.KeptSeqs = append(w.KeptSeqs, seq)
		}
	}
	l.put(&w, c.More)
	return w.Seq
}

func orNone(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// Branch adds one, and returns its seq. What it goes on from has to be there already.
func (l *Log) Branch(b Branch) int64 {
	w := l.wire(record.TypeBranch, b.Meta)
	w.FromSeq = &b.From
	if b.Summary != "" {
		w.Summary, w.Frame = &b.Summary, b.Frame
	}
	l.put(&w, b.More)
	return w.Seq
}

// Prune adds one, and returns its seq; without results to clear it adds nothing.
func (l *Log) Prune(p Prune) int64 {
	if len(p.Seqs) == 0 {
		return l.seq
	}
	w := l.wire(record.TypePrune, p.Meta)
	w.Seqs, w.TokensFreed = p.Seqs, &p.TokensFreed
	if len(p.Texts) == len(p.Seqs) {
		w.Texts = &p.Texts
	}
	l.put(&w, p.More)
	return w.Seq
}

// Revert adds one, and returns its seq.
func (l *Log) Revert(r Revert) int64 {
	w := l.wire(record.TypeRevert, r.Meta)
	w.TargetSeq = r.Target
	l.put(&w, r.More)
	return w.Seq
}

// Label adds one, and returns its seq.
func (l *Log) Label(b Label) int64 {
	w := l.wire(record.TypeLabel, b.Meta)
	w.TargetSeq, w.Label = b.Target, &b.Label
	l.put(&w, b.More)
	return w.Seq
}

// Model adds a switch of model, and returns its seq.
func (l *Log) Model(m Model) int64 {
	w := l.wire(record.TypeModel, m.Meta)
	w.Provider, w.Model, w.ReasoningEffort = m.Provider, m.Model.Model, m.ReasoningEffort
	l.put(&w, m.More)
	return w.Seq
}

// Note adds one, and returns its seq.
func (l *Log) Note(n Note) int64 {
	w := l.wire(record.TypeNote, n.Meta)
	w.Namespace, w.Data, w.Display = n.Namespace, n.Data, &n.Display
	if strings.HasSuffix(w.Namespace, ".") {
		w.Namespace += "unknown" // it has no type
	}
	if len(w.Data) == 0 {
		w.Data = json.RawMessage("null")
	}
	if len(n.Content) > 0 {
		w.Content = &n.Content
	}
	l.put(&w, n.More)
	return w.Seq
}

// textMost is how much text a line holds; more goes beside the log, and head and tail of it stay.
const (
	textMost = 64 << 10
	textEnd  = 8 << 10
)

// Text is a block of text; a long one is kept beside the log, and cut.
func (l *Log) Text(text string) Block {
	text = Valid(text)
	block := Block{Type: "text", Text: text}
	if len(text) <= textMost {
		return block
	}
	sha, err := l.keep(unsafe.Slice(unsafe.StringData(text), len(text))) // who keeps it does not write to it
	if err != nil {
		l.fail(err)
		return block
	}
	block.Text = record.HeadAndTail(text, textEnd)
	block.Blob, block.Bytes = sha, len(text)
	return block
}

// Valid is a text in which what is no UTF-8 is U+FFFD.
func Valid(text string) string {
	if utf8.ValidString(text) { // which is told faster
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// Image keeps an image and returns the block that shows it.
func (l *Log) Image(mediaType string, data []byte) Block {
	sha, err := l.keep(data)
	l.fail(err)
	return Block{Type: "image", MediaType: mediaType, Blob: sha, Bytes: len(data)}
}

// DataURL is the image of a data: address; not ok if it is none.
func (l *Log) DataURL(address string) (Block, bool) {
	rest, is := strings.CutPrefix(address, "data:")
	head, body, comma := strings.Cut(rest, ",")
	mediaType, encoded := strings.CutSuffix(head, ";base64")
	if !is || !comma || !encoded || !strings.HasPrefix(mediaType, "image/") {
		return Block{}, false
	}
	return l.Base64(mediaType, body)
}

// Base64 is the image that is written in base64; not ok if it is none.
func (l *Log) Base64(mediaType, body string) (Block, bool) {
	data, err := base64.StdEncoding.DecodeString(strings.TrimRight(body, "= \n"))
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "= \n"))
	}
	if err != nil || mediaType == "" {
		return Block{}, false
	}
	return l.Image(mediaType, data), true
}

func (l *Log) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *Log) write(line []byte) {
	if l.err != nil {
		return
	}
	if _, err := l.out.Write(append(line, '\n')); err != nil {
		l.fail(fmt.Errorf("writing the reading of %s:%s: %w", l.agent, l.session, err))
	}
}
