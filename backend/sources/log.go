package sources

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
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
	// next is the record that is being written, line how that stands there, and read what it says.
	next wire
	line []byte
	read decoder
	show Show
	// started tells that an agent started the session: it is the one who asks in it.
	started bool
	// past is what was said so far.
	past *Past
}

// NewLog writes to out, and hands what does not belong on a line to keep, which returns its SHA-256 in hex.
func NewLog(agent, session string, out io.Writer, keep func(data []byte) (sha string, err error)) *Log {
	return &Log{agent: agent, session: Name(session), out: out, keep: keep, past: &Past{by: siphash.Ours()}}
}

// LogOf is [NewLog] for the reading of a session that was found.
func LogOf(found *Found, out io.Writer, keep func(data []byte) (sha string, err error)) *Log {
	l := NewLog(found.Agent, found.ID, out, keep)
	l.started = found.Relation == Subagent
	return l
}

// Aside is a log for what is read once more: it goes nowhere, but for what is kept beside the log.
func (l *Log) Aside() *Log { return NewLog(l.agent, l.session, io.Discard, l.keep) }

// Next is the seq that the next record gets.
func (l *Log) Next() int64 { return l.seq + 1 }

// Damaged is how many lines nobody could read.
func (l *Log) Damaged() int { return l.damaged }

// Err is the first error of the writer.
func (l *Log) Err() error { return l.err }

// Lost keeps a line that says what is not there, and why.
func (l *Log) Lost(reason string) { l.Broken(record.LeftOut(reason)) }

// Message adds one, and returns its seq.
func (l *Log) Message(m Message) int64 {
	w := l.wire(record.TypeMessage, m.Meta)
	w.message(&m)
	// What was copied is of the session before, where a person may have asked.
	w.ByAgent = m.Role == record.RoleUser && (m.ByAgent || l.started && !m.Typed && !m.Copied)
	w.Origin.Took = Plausible(m.Took)
	l.put(w, m.More)
	return l.seq
}

// Branch adds one, and returns its seq. What it goes on from has to be there already.
func (l *Log) Branch(b Branch) int64 {
	w := l.wire(record.TypeBranch, b.Meta)
	w.FromSeq = &b.From
	if b.Summary != "" {
		w.Summary, w.Frame = &b.Summary, b.Frame
	}
	l.put(w, b.More)
	return l.seq
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
	l.put(w, p.More)
	return l.seq
}

// Revert adds one, and returns its seq.
func (l *Log) Revert(r Revert) int64 {
	w := l.wire(record.TypeRevert, r.Meta)
	w.TargetSeq = r.Target
	l.put(w, r.More)
	return l.seq
}

// Label adds one, and returns its seq.
func (l *Log) Label(b Label) int64 {
	w := l.wire(record.TypeLabel, b.Meta)
	w.TargetSeq, w.Label = b.Target, &b.Label
	l.put(w, b.More)
	return l.seq
}

// Model adds a switch of model, and returns its seq.
func (l *Log) Model(m Model) int64 {
	w := l.wire(record.TypeModel, m.Meta)
	w.Provider, w.Model, w.ReasoningEffort, w.ContextWindow = m.Provider, m.Model.Model, m.ReasoningEffort, m.Window
	l.put(w, m.More)
	return l.seq
}

// Note adds one, and returns its seq.
func (l *Log) Note(n Note) int64 {
	w := l.wire(record.TypeNote, n.Meta)
	w.Namespace, w.Data, w.Display, w.Aside = n.Namespace, n.Data, &n.Display, n.Aside
	if n.Role == record.RoleAssistant {
		w.Role = n.Role
	}
	if strings.HasSuffix(w.Namespace, ".") {
		w.Namespace += "unknown" // it has no type
	}
	if len(w.Data) == 0 {
		w.Data = json.RawMessage("null")
	}
	if len(n.Content) > 0 {
		w.Content = &n.Content
	}
	l.put(w, n.More)
	return l.seq
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
