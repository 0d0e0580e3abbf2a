package sources

import (
	"bytes"

	"palimpsest/backend/record"
	"palimpsest/backend/wellformed"
)

// behindTorn ends the namespace of a note with what stands on a line behind a record that a crash tore. No agent reads such a line: a person
// alone is shown it.
const behindTorn = ".behind"

// Broken keeps a line that is no JSON where it stands. Whole records in it, which were written behind one that was torn, or whose line did not get
// its end, are a note.
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
	at, behind := wellformed.Behind(line)
	if !behind {
		l.broken(line)
		return
	}
	if at == 0 {
		l.broken(line)
	} else {
		l.broken(line[:at:at])
	}
	l.Note(Note{Namespace: l.agent + behindTorn, Content: []Block{l.Text(string(line[at:]))}, Display: true, Aside: true})
}

func (l *Log) broken(line []byte) {
	if wellformed.JSON(line) { // it must not pass for a record
		line = record.Other(line)
	}
	l.damaged++
	l.write(line)
	if l.show != nil && l.err == nil {
		l.fail(l.show(line, nil, false))
	}
}
