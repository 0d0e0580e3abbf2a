package desktop

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// testCenter keeps what it is to show.
type testCenter struct {
	html    bool
	failure error
	pressed func(string)
	begun   int
	shown   [][3]string
	ended   int
}

func (c *testCenter) begin(pressed func(string)) error {
	c.begun++
	c.pressed = pressed
	return c.failure
}
func (c *testCenter) markup() bool { return c.html }
func (c *testCenter) end()         { c.ended++ }
func (c *testCenter) show(id, title, body string) error {
	c.shown = append(c.shown, [3]string{id, title, body})
	return nil
}

func TestNoticesAreShownAndPressed(t *testing.T) {
	c := &testCenter{}
	var opened []string
	n := &notices{center: c, open: func(session string) { opened = append(opened, session) }}
	for _, notice := range []Notice{
		{Title: "harbour", Body: "<b>done</b> & out", Session: "01A"},
		{Title: strings.Repeat("é", 500), Body: strings.Repeat("ö", 500), Session: "01B"},
	} {
		if err := n.show(notice); err != nil {
			t.Fatal(err)
		}
	}
	if c.begun != 1 || len(c.shown) != 2 || c.shown[0][1] != "harbour" || c.shown[0][2] != "<b>done</b> & out" {
		t.Errorf("begun %d times: %q", c.begun, c.shown)
	}
	if title, body := []rune(c.shown[1][1]), []rune(c.shown[1][2]); len(title) != titleMost+1 || len(body) != bodyMost+1 {
		t.Errorf("%d and %d characters", len(title), len(body))
	}
	for _, shown := range c.shown {
		c.pressed(shown[0])
	}
	c.pressed("nobody's")
	if !slices.Equal(opened, []string{"01A", "01B"}) {
		t.Errorf("opened %q", opened)
	}
	n.end()
	n.end()
	if err := n.show(Notice{}); err == nil || c.ended != 1 {
		t.Errorf("%v after the end, ended %d times", err, c.ended)
	}
}

// TestNoticesAreNoMarkup: where a server reads HTML, what a model says is none.
func TestNoticesAreNoMarkup(t *testing.T) {
	c := &testCenter{html: true}
	n := &notices{center: c}
	if err := n.show(Notice{Body: `<a href="x">don't & won't</a>`}); err != nil ||
		c.shown[0][2] != `&lt;a href="x"&gt;don't &amp; won't&lt;/a&gt;` {
		t.Errorf("%v %q", err, c.shown)
	}
}

func TestNoticesThatCannotBegin(t *testing.T) {
	c := &testCenter{failure: errors.New("no bus")}
	n := &notices{center: c}
	for range 2 {
		if err := n.show(Notice{}); !errors.Is(err, c.failure) {
			t.Error(err)
		}
	}
	n.end()
	if len(c.shown) != 0 || c.ended != 0 {
		t.Errorf("%q, ended %d times", c.shown, c.ended)
	}
	if got := capabilities("unix:path=/nonexistent/bus"); got != nil {
		t.Errorf("%q", got)
	}
}
