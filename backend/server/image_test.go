package server

import (
	"net/http"
	"strings"
	"testing"

	"palimpsest/backend"
)

// A head of one pixel, and what a browser would take for a page if it looked for one.
const aGIF = "GIF89a\x01\x00\x01\x00\x00\x00\x00<script>alert(1)</script>"

func TestImages(t *testing.T) {
	f := start(t)
	kept := ok[backend.Image](f, http.StatusCreated, "POST", "/api/images", aGIF)
	if kept.MediaType != "image/gif" || kept.Bytes != len(aGIF) {
		t.Errorf("%+v", kept)
	}
	a := f.ask("GET", "/api/images/"+kept.Blob, "")
	if string(a.body) != aGIF || a.header.Get("Content-Type") != "image/gif" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.HasSuffix(a.header.Get("Content-Security-Policy"), "; sandbox") {
		t.Errorf("%s with %v", a.body, a.header)
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", "/api/images/"+strings.Repeat("0", 64), "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/images/..%2f..%2fconfig.yaml", "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/images", "<svg/>")
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "POST", "/api/images", "GIF89a"+strings.Repeat("x", backend.ImageMost))
}

// TestImagesOfAMessage that can't go: nothing is written.
func TestImagesOfAMessage(t *testing.T) {
	f, model := talking(t)
	model.Script(echo)
	id := f.session()
	at := "/api/sessions/" + id + "/messages"
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", at, `{"text":"x","images":[{"blob":"`+strings.Repeat("0", 64)+`"}]}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at, `{"images":[{"blob":"x"}]}`)
	f.wantSaid(id)
	kept := ok[backend.Image](f, http.StatusCreated, "POST", "/api/images", aGIF)
	ok[backend.Sent](f, http.StatusCreated, "POST", at, `{"images":[{"blob":"`+kept.Blob+`","name":"a.gif"}]}`)
}
