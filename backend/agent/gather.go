package agent

import "time"

// How long text is gathered before it is told: a window draws a frame in half of it. Behind an answer that is long
// nobody reads as it comes, nor one that comes a hundred times as swiftly as anybody reads, least of all one that is both,
// and each event costs every window the same however little it says.
const (
	gather      = 33 * time.Millisecond
	gatherLong  = 100 * time.Millisecond
	gatherSwift = 300 * time.Millisecond
	gatherBoth  = 600 * time.Millisecond
	longAnswer  = 8 << 10
	swift       = 4 << 10 // bytes a second
)

// Text gathers a piece of text: of the answer, of its thinking, or of a draft.
func (e *Emitter) Text(kind, piece string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kind != kind {
		e.flush()
		e.kind = kind
	}
	e.pending += piece
	e.state.State, e.state.Retry = StateStreaming, nil
	if kind == KindThinking {
		e.thinking.WriteString(piece)
	} else {
		e.answer.WriteString(piece)
	}
	e.soon()
}

// soon tells what was gathered, at once or in a moment. The caller holds mu.
func (e *Emitter) soon() {
	wait := e.gathers() - time.Since(e.told)
	if wait <= 0 {
		e.flush()
	} else if e.timer == nil {
		e.timer = time.AfterFunc(wait, e.flushLater)
	}
}

// gathers returns how long text is gathered now. The caller holds mu.
func (e *Emitter) gathers() time.Duration {
	long := e.answer.Len()+e.thinking.Len() > longAnswer
	switch {
	case long && e.swift:
		return gatherBoth
	case e.swift:
		return gatherSwift
	case long:
		return gatherLong
	}
	return gather
}

func (e *Emitter) flushLater() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
}

// flush tells the text that was gathered. The caller holds mu.
func (e *Emitter) flush() {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	if e.pending != "" {
		e.swift = float64(len(e.pending)) > swift*time.Since(e.told).Seconds()
	}
	for e.pending != "" {
		piece := e.pending[:cutAt(e.pending, pieceMost)]
		e.pending = e.pending[len(piece):]
		e.tell(e.kind, pieceOf(e.kind, piece))
		e.told = time.Now()
	}
	e.flushOutput()
}

func pieceOf(kind, piece string) any {
	if kind == KindCompaction {
		return Drafting{State: "text", Text: piece}
	}
	return Text{piece}
}
