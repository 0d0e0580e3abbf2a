package backend

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"palimpsest/backend/agent"
	"palimpsest/backend/session"
)

// What providers take: about 5 MB an image, and 20 to 30 MB a request, in which an image takes a third more than its bytes.
const (
	ImageMost       = 5_000_000
	imagesMost      = 8 // of one message
	imagesBytesMost = 16_000_000
	imageNameMost   = 200
)

// imageKinds are those that every provider takes.
var imageKinds = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// Image is one on the desk, to go with a message.
type Image struct {
	Blob      string `json:"blob"`
	MediaType string `json:"mediaType"`
	Bytes     int    `json:"bytes"`
}

// OutgoingImage names an image that goes with a message: one on the desk, or one that the session has already.
type OutgoingImage struct {
	Blob string `json:"blob"`
	// Name is that of the file it came from; may be empty.
	Name string `json:"name"`
}

// KeepImage lays an image on the desk. What it is, its bytes say, and not its name.
func (b *Backend) KeepImage(data []byte) (Image, error) {
	kind, err := imageKind(data)
	if err != nil {
		return Image{}, err
	}
	sha, err := b.desk.KeepImage(data)
	return Image{sha, kind, len(data)}, err
}

// DeskImage reads an image that lies on the desk.
func (b *Backend) DeskImage(sha string) ([]byte, error) { return b.desk.Image(sha) }

func imageKind(data []byte) (string, error) {
	kind := http.DetectContentType(data)
	switch {
	case len(data) > ImageMost:
		return "", fmt.Errorf("%w: an image may have %d MB, which is what models take", session.ErrInput, ImageMost/1_000_000)
	case !slices.Contains(imageKinds, kind):
		return "", fmt.Errorf("%w: this is no image that models take; those are PNG, JPEG, GIF and WebP", session.ErrInput)
	}
	width, height, err := pixelsOf(data, kind)
	switch {
	case err != nil || width < 1 || height < 1:
		return "", fmt.Errorf("%w: this image is damaged: how large it is can't be read", session.ErrInput)
	case width > pixelsMost || height > pixelsMost:
		return "", fmt.Errorf("%w: an image may have %d pixels a side, which is what models take; this one has %d × %d",
			session.ErrInput, pixelsMost, width, height)
	}
	return kind, nil
}

// checkImages says what is wrong with the images of a message, as far as their number and names tell.
func (m *Outgoing) checkImages() error {
	switch {
	case len(m.Images) > 0 && m.NoHistory:
		return errors.New("images are kept in the conversation, and without history there is none")
	case len(m.Images) > imagesMost:
		return fmt.Errorf("a message may show %d images, not %d", imagesMost, len(m.Images))
	}
	for _, image := range m.Images {
		if !blobPattern.MatchString(image.Blob) {
			return errors.New("the name of an image is a SHA-256, 64 characters of 0-9 a-f")
		}
		if len(image.Name) > imageNameMost {
			return fmt.Errorf("the name of an image's file may have %d bytes", imageNameMost)
		}
	}
	return nil
}

// imagesOf reads the images of a message, which are on the desk or which its session has. What is refused later leaves
// nothing in the session: they are kept there with the message.
func (b *Backend) imagesOf(id string, images []OutgoingImage) ([]agent.Image, error) {
	var read []agent.Image
	all := 0
	for _, image := range images {
		data, err := b.desk.Image(image.Blob)
		if errors.Is(err, session.ErrNotFound) {
			data, err = b.blobOf(id, image.Blob)
		}
		if err != nil {
			return nil, notThere(image.Name, err)
		}
		kind, err := imageKind(data)
		if err != nil {
			return nil, err
		}
		if all += len(data); all > imagesBytesMost {
			return nil, fmt.Errorf("%w: all images of a message may have %d MB", session.ErrInput, imagesBytesMost/1_000_000)
		}
		read = append(read, agent.Image{MediaType: kind, Blob: image.Blob, Bytes: len(data), Name: image.Name})
	}
	return read, nil
}

// keepImages puts images among the blobs of a session, whose one writer the caller is. While their message waited, a piece
// of the desk named them.
func (b *Backend) keepImages(id string, images []agent.Image) error {
	for _, image := range images {
		data, err := b.desk.Image(image.Blob)
		if errors.Is(err, session.ErrNotFound) {
			if _, err := b.blobOf(id, image.Blob); err != nil {
				return notThere(image.Name, err)
			}
			continue // the session has it
		}
		if err != nil {
			return err
		}
		sha, err := b.store.Keep(id, data)
		if err != nil {
			return err
		}
		if sha != image.Blob {
			return notThere(image.Name, fmt.Errorf("%w: it was changed on the disk", session.ErrNotFound))
		}
	}
	return nil
}

func notThere(name string, err error) error {
	return fmt.Errorf("the image %.100q is not there to be sent; attach it again: %w", name, err)
}
