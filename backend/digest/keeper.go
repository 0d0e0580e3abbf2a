package digest

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"unsafe"

	"palimpsest/backend/index"
	"palimpsest/backend/scratch"
)

// keeper holds texts back until it is sure that they count: of many the newest in memory, and those before in a scratch file, since to read
// them out of the log again takes longer. Where there is no room for one, memory holds all.
type keeper struct {
	emit  func(index.Text) error
	texts []index.Text
	size  int

	file *os.File
	out  *bufio.Writer
	to   *gob.Encoder
	// away is how many are in the file.
	away  int
	stays bool
}

// keptMost is how much a keeper holds in memory, in bytes.
var keptMost = 4 << 20

// buffer is how much is written or read at once.
const buffer = 64 << 10

// newFile makes room beside memory.
var newFile = scratch.File

func (k *keeper) take(t index.Text) error {
	if k.emit == nil {
		return nil
	}
	k.texts, k.size = append(k.texts, t), k.size+len(t.Text)+int(unsafe.Sizeof(t))
	if k.size <= keptMost || k.stays {
		return nil
	}
	if k.stays = k.putAway() != nil; !k.stays {
		k.away += len(k.texts)
		clear(k.texts)
		k.texts, k.size = k.texts[:0], 0
	}
	return nil
}

// putAway writes what is in memory behind what is in the file.
func (k *keeper) putAway() error {
	if k.file == nil {
		file, err := newFile()
		if err != nil {
			return fmt.Errorf("holding texts back: %w", err)
		}
		k.file, k.out = file, bufio.NewWriterSize(file, buffer)
		k.to = gob.NewEncoder(k.out)
	}
	for i := range k.texts {
		if err := k.to.Encode(&k.texts[i]); err != nil {
			return fmt.Errorf("holding texts back: %w", err)
		}
	}
	if err := k.out.Flush(); err != nil {
		return fmt.Errorf("holding texts back: %w", err)
	}
	return nil
}

// done hands them on.
func (k *keeper) done() error {
	if k.file != nil {
		defer func() { _ = k.file.Close() }() // nobody reads it any more
	}
	if k.away > 0 {
		if err := k.again(); err != nil {
			return err
		}
	}
	for _, t := range k.texts {
		if err := k.emit(t); err != nil {
			return err
		}
	}
	return nil
}

// again hands on those in the file.
func (k *keeper) again() error {
	if _, err := k.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading texts that were held back: %w", err)
	}
	from := gob.NewDecoder(bufio.NewReaderSize(k.file, buffer))
	for range k.away {
		var t index.Text // what is zero is not in the file
		if err := from.Decode(&t); err != nil {
			return fmt.Errorf("reading texts that were held back: %w", err)
		}
		if err := k.emit(t); err != nil {
			return err
		}
	}
	return nil
}
