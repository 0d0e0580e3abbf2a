package sources

import (
	"encoding/binary"
	"time"
	"unsafe"
)

// packTold writes what a file told, and [packed.told] reads it: each member of [Found] that a source sets, in order. The path of the file, which
// both know, does not stand in it once more.
func packTold(dst []byte, t *Told, path string) []byte {
	f := &t.Found
	for _, text := range f.texts() {
		dst = packText(dst, *text)
	}
	for _, at := range []time.Time{f.CreatedAt, f.UpdatedAt, f.ArchivedAt} {
		dst = packTime(dst, at)
	}
	for _, n := range []*int{f.Messages, f.Compactions} {
		if n == nil {
			dst = packUint(dst, 0)
		} else {
			dst = packUint(dst, uint64(*n)+1)
		}
	}
	dst = packInt(packInt(dst, f.Bytes), f.Writes)
	archived := uint64(0)
	if f.Archived {
		archived = 1
	}
	dst = packUint(dst, archived)
	dst = packUint(dst, uint64(len(f.Files)))
	for _, file := range f.Files {
		if file == path {
			file = ""
		}
		dst = packText(dst, file)
	}
	return packTexts(dst, t.Notes)
}

func (p *packed) told(path string) (t Told) {
	f := &t.Found
	for _, text := range f.texts() {
		*text = p.string()
	}
	f.CreatedAt, f.UpdatedAt, f.ArchivedAt = p.time(), p.time(), p.time()
	for _, n := range []**int{&f.Messages, &f.Compactions} {
		if known := p.uint(); known > 0 {
			count := int(known - 1)
			*n = &count
		}
	}
	f.Bytes, f.Writes, f.Archived = p.int(), p.int(), p.uint() == 1
	f.Files, t.Notes = p.strings(), p.strings()
	for i, file := range f.Files {
		if file == "" {
			f.Files[i] = path
		}
	}
	return t
}

// texts are the members that are text.
func (f *Found) texts() [14]*string {
	return [...]*string{
		&f.Agent, &f.ID, &f.Version, &f.Title, &f.FirstMessage, &f.Cwd, &f.Model, &f.Parent, (*string)(&f.Relation), &f.Call, &f.Key, &f.Row,
		&f.Within, &f.Problem,
	}
}

func packUint(dst []byte, n uint64) []byte { return binary.AppendUvarint(dst, n) }
func packInt(dst []byte, n int64) []byte   { return binary.AppendVarint(dst, n) }

func packText(dst []byte, text string) []byte {
	return append(packUint(dst, uint64(len(text))), text...)
}

func packTexts(dst []byte, texts []string) []byte {
	dst = packUint(dst, uint64(len(texts)))
	for _, text := range texts {
		dst = packText(dst, text)
	}
	return dst
}

// packTime writes an instant. Its zone is not kept.
func packTime(dst []byte, at time.Time) []byte {
	return packUint(packInt(dst, at.Unix()), uint64(at.Nanosecond()))
}

// packed is what is still to be read; bad tells that it is not what was written.
type packed struct {
	text string
	bad  bool
}

func (p *packed) more() bool { return !p.bad && p.text != "" }

// rest is all of it.
func (p *packed) rest() []byte { return unsafe.Slice(unsafe.StringData(p.text), len(p.text)) }

func (p *packed) fail() { p.bad, p.text = true, "" }

func (p *packed) uint() (n uint64) {
	for i, shift := 0, 0; i < len(p.text) && i < binary.MaxVarintLen64; i, shift = i+1, shift+7 {
		n |= uint64(p.text[i]&0x7f) << shift
		if p.text[i] < 0x80 {
			p.text = p.text[i+1:]
			return n
		}
	}
	p.fail()
	return 0
}

func (p *packed) int() int64 {
	n := p.uint()
	return int64(n>>1) ^ -int64(n&1) //nolint:gosec // as encoding/binary has them
}

// string is a part of what is read, and keeps all of it.
func (p *packed) string() (text string) {
	n := p.uint()
	if n > uint64(len(p.text)) {
		p.fail()
		return ""
	}
	text, p.text = p.text[:n], p.text[n:]
	return text
}

func (p *packed) strings() (texts []string) {
	n := p.uint()
	if n > uint64(len(p.text)) {
		p.fail()
	}
	for range n {
		if p.bad {
			return nil
		}
		texts = append(texts, p.string())
	}
	return texts
}

func (p *packed) time() time.Time {
	seconds, nanoseconds := p.int(), p.uint()
	return time.Unix(seconds, int64(nanoseconds)).UTC() //nolint:gosec // as packTime wrote it
}
