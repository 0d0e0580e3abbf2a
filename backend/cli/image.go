package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"palimpsest/backend"
)

// imagesIn takes images from files, to go with a message.
func imagesIn(b *backend.Backend, files []string) ([]backend.OutgoingImage, error) {
	var images []backend.OutgoingImage
	for _, path := range files {
		image, err := imageIn(b, path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		images = append(images, backend.OutgoingImage{Blob: image.Blob, Name: filepath.Base(path)})
	}
	return images, nil
}

func imageIn(b *backend.Backend, path string) (backend.Image, error) {
	file, err := os.Open(path)
	if err != nil {
		return backend.Image{}, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	data, err := io.ReadAll(io.LimitReader(file, backend.ImageMost+1))
	if err != nil {
		return backend.Image{}, fmt.Errorf("reading it: %w", err)
	}
	return b.KeepImage(data)
}
