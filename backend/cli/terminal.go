package cli

import (
	"context"
	"io"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/term"
)

// terminal is what is known of the user's terminal.
type terminal struct {
	// in is set if there is somebody to ask, dim if text may be dimmed.
	in, dim bool
	// err is set if standard error is one, too.
	err   bool
	width int
	// narrow tells that the width is that of somebody's terminal.
	narrow bool
}

// defaultWidth is that of lines where no terminal says otherwise.
const defaultWidth = 100

func terminalOf(s Streams) terminal {
	t := terminal{width: defaultWidth}
	if in, ok := s.In.(*os.File); ok {
		t.in = term.IsTerminal(int(in.Fd()))
	}
	if err, ok := s.Err.(*os.File); ok {
		t.err = term.IsTerminal(int(err.Fd()))
	}
	if out, ok := s.Out.(*os.File); ok && term.IsTerminal(int(out.Fd())) {
		// Not every console of Windows knows the codes.
		t.dim = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows"
		if width, _, err := term.GetSize(int(out.Fd())); err == nil && width > 0 {
			t.width, t.narrow = width, true
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		t.width, t.narrow = width, true
	}
	return t
}

// interruptible is a reader whose reads end when the context does. A read of a terminal can't be called off: the
// goroutine that is in it stays there until there is something to read or the program ends.
func interruptible(ctx context.Context, r io.Reader) (reader io.Reader, done func()) {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	return out, func() {
		stop()
		_ = out.Close() // lets go of what is left to be read
	}
}
