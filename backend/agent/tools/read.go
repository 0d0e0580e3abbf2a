package tools

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
)

//go:embed read.md
var readAbout string

type readArguments struct {
	Path   string `json:"path"`
	Offset count  `json:"offset"`
	Limit  count  `json:"limit"`
}

func (a readArguments) target() (string, string) { return a.Path, "" }

// pathNames are what other agents call the argument path.
var pathNames = map[string]string{"file_path": "path", "filePath": "path"}

var readTool = define("read", readAbout, true, schema(
	parameter{name: "path", kind: "string", about: "The file, relative to the working directory or absolute.", required: true},
	parameter{name: "offset", kind: "integer", about: "The line to begin with, from 1 on."},
	parameter{name: "limit", kind: "integer", about: "How many lines at most; 2000 if left out."},
), pathNames, read)

// What one reading shows and looks at.
const (
	readLines  = 2000
	lineMost   = 2000     // bytes of one line that are shown
	readMost   = 64 << 20 // bytes of a file that are looked at; what is behind is for bash
	imageMost  = 5 << 20
	binaryHead = 8000 // bytes in which a NUL makes a file a binary one, as for git
)

func read(j *job, a readArguments) (Result, error) {
	p, err := j.place(a.Path)
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	f, info, err := p.open()
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.LimitReader(f, readMost), 64<<10)
	head, err := in.Peek(binaryHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, fmt.Errorf("reading %s: %w", p.shown, err)
	}
	if kind := http.DetectContentType(head); slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind) {
		return j.image(p, info, in, kind)
	}
	if isBinary(head) {
		return Result{}, fmt.Errorf("%s is a binary file of %d bytes (%s), which can't be read as text", p.shown, info.Size(), kindOf(head))
	}
	text, err := j.lines(in, max(int(a.Offset), 1), a.Limit.or(readLines, readLines*10), info.Size() <= readMost)
	if err != nil {
		return Result{}, fmt.Errorf("reading %s: %w", p.shown, err)
	}
	j.saw(p, info)
	return Result{Text: text}, nil
}

func isBinary(head []byte) bool { return bytes.IndexByte(head[:min(len(head), binaryHead)], 0) >= 0 }

func kindOf(head []byte) string {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return "UTF-16 text"
	}
	return http.DetectContentType(head)
}

func (j *job) image(p *place, info fs.FileInfo, in io.Reader, kind string) (Result, error) {
	data, err := io.ReadAll(io.LimitReader(in, imageMost+1))
	if err != nil {
		return Result{}, fmt.Errorf("reading %s: %w", p.shown, err)
	}
	if len(data) > imageMost {
		return Result{}, fmt.Errorf("%s is an image of %d bytes, and models take %d at most", p.shown, info.Size(), imageMost)
	}
	sha, err := j.keep(data)
	if err != nil {
		return Result{}, err
	}
	return Result{
		Text:   fmt.Sprintf("[image %s, %s, %d bytes]", p.shown, kind, len(data)),
		Images: []Image{{MediaType: kind, Blob: sha, Bytes: len(data)}},
	}, nil
}

// lines is the text from a line on, and a note if there is more. Notes leave room for themselves in the budget.
// all tells that in ends where the file does.
func (j *job) lines(in *bufio.Reader, from, limit int, all bool) (string, error) {
	var out strings.Builder
	room := j.workspace.Budget - 200
	line, shown, full := 0, 0, false
	for ; ; line++ {
		text, err := readLine(in, lineMost)
		if errors.Is(err, io.EOF) {
			return noted(&out, from, shown, line, all)
		}
		if err != nil {
			return "", err
		}
		if cause := context.Cause(j.ctx); cause != nil {
			return "", cause
		}
		if line == 0 {
			text = strings.TrimPrefix(text, "\uFEFF")
		}
		full = full || shown == limit || (shown > 0 && out.Len()+len(text) > room)
		if line+1 >= from && !full {
			out.WriteString(text)
			shown++
		}
	}
}

// noted adds what the text does not say itself. all tells that the file has no more than so many lines.
func noted(out *strings.Builder, from, shown, lines int, all bool) (string, error) {
	switch {
	case lines == 0:
		return "[the file is empty]", nil
	case shown == 0 && !all:
		return "", fmt.Errorf("it is too large: only its first %d MiB can be read, which are %d lines", readMost>>20, lines)
	case shown == 0:
		return "", fmt.Errorf("it has only %d lines", lines)
	case from == 1 && shown == lines && all:
		return out.String(), nil
	}
	if !strings.HasSuffix(out.String(), "\n") {
		out.WriteByte('\n')
	}
	of := fmt.Sprint(lines)
	if !all {
		of = "more than " + of
	}
	fmt.Fprintf(out, "[lines %d to %d of %s", from, from+shown-1, of)
	if from+shown-1 < lines {
		fmt.Fprintf(out, "; the next begins at offset %d", from+shown)
	}
	out.WriteString("]\n")
	return out.String(), nil
}

// readLine is the next line with its end; of a long one, its beginning and a note. The last line may lack its end.
func readLine(in *bufio.Reader, most int) (string, error) {
	const more = 4 // so that the last character is whole
	var kept []byte
	size := 0
	for {
		piece, err := in.ReadSlice('\n')
		size += len(piece)
		kept = append(kept, piece[:min(len(piece), most+more-len(kept))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (size == 0 || !errors.Is(err, io.EOF)):
			return "", err //nolint:wrapcheck // the caller says which file
		}
		if size <= most {
			return valid(string(kept)), nil
		}
		return fmt.Sprintf("%s [… the rest of this line of %d bytes left out]\n", headOf(valid(string(kept)), most), size), nil
	}
}
