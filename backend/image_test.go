package backend

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/color/palette"
	gifs "image/gif"
	jpegs "image/jpeg"
	pngs "image/png"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/session"
)

func aPNG(t *testing.T, width int) []byte {
	t.Helper()
	var out bytes.Buffer
	newsMust(t, pngs.Encode(&out, image.NewGray(image.Rect(0, 0, width, 1))))
	return out.Bytes()
}

func (k *talker) attach(data []byte, name string) OutgoingImage {
	k.t.Helper()
	kept, err := k.KeepImage(data)
	newsMust(k.t, err)
	return OutgoingImage{Blob: kept.Blob, Name: name}
}

// TestAnImageGoesWithAMessage: to the log, beside it, and to the model; a retry shows it again.
func TestAnImageGoesWithAMessage(t *testing.T) {
	k := talk(t)
	data := aPNG(t, 3)
	shown := k.attach(data, "pier.png")
	sent := k.send(Outgoing{Text: "What is this?", Images: []OutgoingImage{shown}})
	asked := k.server.Next()
	url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
	if !strings.Contains(string(asked.Raw), `"image_url":{"url":"`+url+`"`) {
		t.Errorf("the model was not shown it: %s", asked.Raw)
	}
	asked.Fail(400, "no")
	sent.done()
	k.send(Outgoing{Retry: true})
	if asked := k.server.Next(); !strings.Contains(string(asked.Raw), url) {
		t.Errorf("the second time it was not shown it: %s", asked.Raw)
	} else {
		asked.Answer("A pier.")
	}
	line, _, err := k.RawRecord(k.id, *sent.Seq, 0, 0)
	newsMust(t, err)
	defer line.Close()
	var record struct {
		Content []struct{ Type, Text, MediaType, Blob, Name string }
	}
	newsMust(t, json.NewDecoder(line).Decode(&record))
	if c := record.Content; len(c) != 2 || c[0].Text != "What is this?" || c[1].Type != "image" || c[1].MediaType != "image/png" ||
		c[1].Blob != shown.Blob || c[1].Name != "pier.png" {
		t.Errorf("%+v", record)
	}
	file, err := k.OpenBlob(k.id, shown.Blob)
	newsMust(t, err)
	newsMust(t, file.Close())
}

// TestImagesWaitWithTheirMessage on the desk, however long, come back with it, and can be sent again.
func TestImagesWaitWithTheirMessage(t *testing.T) {
	k := talk(t)
	first := k.say("one")
	asked := k.server.Next()
	shown := k.attach(aPNG(t, 3), "pier.png")
	waiting := k.send(Outgoing{Images: []OutgoingImage{shown}})
	lying, err := k.messagesOnDesk(k.queuedKey(k.id))
	newsMust(t, err)
	if len(lying) != 1 || len(lying[0].Images) != 1 || lying[0].Images[0].Name != "pier.png" {
		t.Errorf("what a crash leaves: %+v", lying)
	}
	newsMust(t, k.desk.SweepImages(time.Now().Add(365*24*time.Hour)))
	k.nothingKept()
	ended, err := k.EndTurn(k.id, waiting.TurnID)
	newsMust(t, err)
	if len(ended.Images) != 1 || ended.Images[0].Blob != shown.Blob {
		t.Errorf("%+v", ended)
	}
	again := k.send(Outgoing{Images: []OutgoingImage{shown}})
	asked.Answer("1")
	first.ok()
	asked = k.server.Next()
	asked.Answer("2")
	again.ok()
	if got := asked.Last(); got != "[image]" {
		t.Errorf("the model was asked %q", got)
	}
	// The session has it now: the desk is not asked.
	newsMust(t, k.desk.SweepImages(time.Now().Add(365*24*time.Hour)))
	once := k.send(Outgoing{Images: []OutgoingImage{shown}})
	k.server.Next().Answer("3")
	once.ok()
}

// nothingKept fails if the session has blobs.
func (k *talker) nothingKept() {
	k.t.Helper()
	if _, err := os.Stat(k.store.Home() + "/sessions/" + k.id + "/blobs"); !os.IsNotExist(err) {
		k.t.Errorf("something was kept: %v", err)
	}
}

// TestImagesThatCantGo are refused before anything is written.
func TestImagesThatCantGo(t *testing.T) {
	k := talk(t)
	large := append(aPNG(t, 3), make([]byte, ImageMost)...)
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("<svg/>"), "pdf": []byte("%PDF-1.7"), "large": large,
		"cut in its head": aPNG(t, 3)[:20], "of no size": bytes.Replace(aPNG(t, 3), []byte("IHDR\x00\x00\x00\x03"), []byte("IHDR\x00\x00\x00\x00"), 1),
		"wide": aPNG(t, pixelsMost+1), "a page that says it is a picture": []byte("GIF89a<script>alert(1)</script>"),
	} {
		if _, err := k.KeepImage(data); !errors.Is(err, session.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := k.attach(aPNG(t, pixelsMost), "")
	var heavy []OutgoingImage
	for i := range 4 {
		heavy = append(heavy, k.attach(append(aPNG(t, i+1), make([]byte, 4_500_000)...), ""))
	}
	for name, m := range map[string]Outgoing{
		"many":       {Images: []OutgoingImage{one, one, one, one, one, one, one, one, one}},
		"heavy":      {Images: heavy},
		"gone":       {Images: []OutgoingImage{{Blob: strings.Repeat("0", 64)}}},
		"a path":     {Images: []OutgoingImage{{Blob: "../../../etc/passwd"}}},
		"no history": {Text: "x", NoHistory: true, Images: []OutgoingImage{one}},
		"retry":      {Retry: true, Images: []OutgoingImage{one}},
	} {
		if _, err := k.Send(t.Context(), k.id, m, nil); err == nil {
			t.Errorf("%s was sent", name)
		}
	}
	if log := logOf(t, k.Backend, k.id); len(log) != 0 {
		t.Errorf("%v", log)
	}
	k.nothingKept()
}

// TestPixels of every kind: by their heads, for that is what says how much room a picture takes.
func TestPixels(t *testing.T) {
	var gif, jpeg bytes.Buffer
	newsMust(t, gifs.Encode(&gif, image.NewPaletted(image.Rect(0, 0, 300, 2), palette.Plan9), nil))
	newsMust(t, jpegs.Encode(&jpeg, image.NewGray(image.Rect(0, 0, 300, 2)), nil))
	for kind, data := range map[string]string{
		"image/png": string(aPNG(t, 300)), "image/gif": gif.String(), "image/jpeg": jpeg.String(),
		"image/webp":            "RIFF....WEBPVP8 ....\x30\x01\x00\x9d\x01\x2a\x2c\x01\x02\x00 and so on",
		"image/webp, lossless":  "RIFF....WEBPVP8L....\x2f\x2b\x41\x00\x00 and so on",
		"image/webp, in pieces": "RIFF....WEBPVP8X....\x00\x00\x00\x00\x2b\x01\x00\x01\x00\x00 and so on",
	} {
		kind, _, _ = strings.Cut(kind, ",")
		height := 2
		if kind == "image/png" {
			height = 1
		}
		if w, h, err := pixelsOf([]byte(data), kind); w != 300 || h != height || err != nil {
			t.Errorf("%s: %d × %d, %v", kind, w, h, err)
		}
		for n := range min(len(data), 20) {
			if _, _, err := pixelsOf([]byte(data[:n]), kind); err == nil {
				t.Errorf("%s: of %d bytes, too", kind, n)
			}
		}
	}
}

// TestAModelThatTakesNoImages is not asked, the message comes back, and nothing of it is kept beside the log.
func TestAModelThatTakesNoImages(t *testing.T) {
	k := talk(t, "models:", "  m-1: {images: false}")
	_, err := k.Send(t.Context(), k.id, Outgoing{Text: "What is this?", Images: []OutgoingImage{k.attach(aPNG(t, 3), "")}}, nil)
	if !errors.Is(err, agent.ErrBlind) || ProblemOf(err).Code != CodeBadInput || !strings.Contains(ProblemOf(err).Hint, "nothing was sent") {
		t.Errorf("%v: %+v", err, ProblemOf(err))
	}
	if log := logOf(t, k.Backend, k.id); len(log) != 0 {
		t.Errorf("%v", log)
	}
	k.nothingKept()
}
