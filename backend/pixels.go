package backend

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // so that their sizes are known
	_ "image/jpeg"
	_ "image/png"
)

// pixelsMost is what providers take of a side. A file of a few kilobytes can say that it has a billion points, and whoever
// draws it has to find room for all of them.
const pixelsMost = 8000

// pixelsOf tells how wide and how high an image says it is; nothing of it is decoded.
func pixelsOf(data []byte, kind string) (width, height int, err error) {
	if kind == "image/webp" {
		return webpPixels(data)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("reading its head: %w", err)
	}
	return config.Width, config.Height, nil
}

// webpPixels reads the first chunk of a WebP: it has one of three forms.
func webpPixels(data []byte) (width, height int, err error) {
	const head = 20 // RIFF, its length, WEBP, and the name and length of the first chunk
	if len(data) < head+10 {
		return 0, 0, errors.New("it ends too early")
	}
	body := data[head:]
	switch string(data[12:16]) {
	case "VP8 ": // lossy: three bytes of the frame, three that mark its start, two numbers of 14 bits
		return int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff), int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff), nil
	case "VP8L": // lossless: a mark, two numbers of 14 bits less one
		bits := binary.LittleEndian.Uint32(body[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, nil
	case "VP8X": // with more than one part: flags, two numbers of 24 bits less one
		return int(uint24(body[4:])) + 1, int(uint24(body[7:])) + 1, nil
	}
	return 0, 0, errors.New("it begins with no picture")
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }
