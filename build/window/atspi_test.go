//go:build window

package window

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// screenReader sees the program as assistive technology does: as a tree of
// things with roles, names and text, over AT-SPI.
type screenReader struct {
	bus *dbus.Conn
}

// node is one thing in the accessibility tree.
type node struct {
	ref      ref
	role     string
	name     string
	text     string
	parent   *node
	children []*node
}

// ref addresses an object on the accessibility bus.
type ref struct {
	Bus  string
	Path dbus.ObjectPath
}

const (
	accessible = "org.a11y.atspi.Accessible"
	atspiText  = "org.a11y.atspi.Text"
	action     = "org.a11y.atspi.Action"
)

// newScreenReader finds the accessibility bus by way of the session bus.
func newScreenReader(sessionBus string) (*screenReader, error) {
	session, err := dbus.Connect(sessionBus)
	if err != nil {
		return nil, fmt.Errorf("connecting to the session bus: %w", err)
	}
	defer func() { _ = session.Close() }()
	var address string
	err = session.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.a11y.Bus.GetAddress", 0).Store(&address)
	if err != nil {
		return nil, fmt.Errorf("asking for the accessibility bus: %w", err)
	}
	bus, err := dbus.Connect(address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the accessibility bus: %w", err)
	}
	return &screenReader{bus: bus}, nil
}

// tree reads everything that every program on the bus shows. What goes away
// while it reads is left out.
func (s *screenReader) tree() (*node, error) {
	root := ref{Bus: "org.a11y.atspi.Registry", Path: "/org/a11y/atspi/accessible/root"}
	n := s.read(root, nil, 0)
	if n == nil {
		return nil, errors.New("the accessibility registry does not answer")
	}
	return n, nil
}

func (s *screenReader) read(r ref, parent *node, depth int) *node {
	const deepest = 100 // a guard against cycles
	if depth > deepest {
		return nil
	}
	object := s.bus.Object(r.Bus, r.Path)
	n := &node{ref: r, parent: parent}
	if err := object.Call(accessible+".GetRoleName", 0).Store(&n.role); err != nil {
		return nil
	}
	_ = object.StoreProperty(accessible+".Name", &n.name)
	var interfaces []string
	_ = object.Call(accessible+".GetInterfaces", 0).Store(&interfaces)
	if slices.Contains(interfaces, atspiText) {
		_ = object.Call(atspiText+".GetText", 0, int32(0), int32(-1)).Store(&n.text)
	}
	for _, child := range s.children(object) {
		if c := s.read(child, n, depth+1); c != nil {
			n.children = append(n.children, c)
		}
	}
	return n
}

// children lists what is directly in an object. GTK's web view is a doorway to
// another process: it counts its child and hands it out by index, but doesn't list it.
func (s *screenReader) children(object dbus.BusObject) []ref {
	var list []ref
	if object.Call(accessible+".GetChildren", 0).Store(&list) == nil && len(list) > 0 {
		return list
	}
	var count int32
	if object.StoreProperty(accessible+".ChildCount", &count) != nil || count != 1 {
		return nil
	}
	var child ref
	if object.Call(accessible+".GetChildAtIndex", 0, int32(0)).Store(&child) != nil {
		return nil
	}
	return []ref{child}
}

// press does the default action of n, or of the nearest thing around it that has
// one: what a click on n would do.
func (s *screenReader) press(n *node) error {
	for ; n != nil; n = n.parent {
		object := s.bus.Object(n.ref.Bus, n.ref.Path)
		var count int32
		if object.StoreProperty(action+".NActions", &count) != nil || count == 0 {
			continue
		}
		var done bool
		if err := object.Call(action+".DoAction", 0, int32(0)).Store(&done); err != nil {
			return fmt.Errorf("pressing %s %q: %w", n.role, n.name, err)
		}
		if done {
			return nil
		}
	}
	return errors.New("nothing here can be pressed")
}

// usable tells whether n can be used, and is not greyed out.
func (s *screenReader) usable(n *node) bool {
	const sensitive = 24
	var states []uint32
	err := s.bus.Object(n.ref.Bus, n.ref.Path).Call(accessible+".GetState", 0).Store(&states)
	return err == nil && len(states) > 0 && states[0]&(1<<sensitive) != 0
}

// find returns the innermost thing whose name or text contains what, or nil. A
// role other than "" narrows it.
func (n *node) find(role, what string) *node {
	for _, child := range n.children {
		if found := child.find(role, what); found != nil {
			return found
		}
	}
	if (role == "" || n.role == role) && (strings.Contains(n.name, what) || strings.Contains(n.text, what)) {
		return n
	}
	return nil
}

// String is the tree, one line for each thing, for messages of failing tests.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b, 0)
	return b.String()
}

func (n *node) write(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%*s%s %q", depth, "", n.role, n.name)
	if n.text != "" && n.text != n.name {
		fmt.Fprintf(b, " %q", n.text)
	}
	b.WriteByte('\n')
	for _, child := range n.children {
		child.write(b, depth+1)
	}
}
