package notify

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNotAllIsTold: of file systems that change behind the back of who watches them, nobody is told everything.
func TestNotAllIsTold(t *testing.T) {
	for name, kind := range map[string]int64{
		"overlayfs": unix.OVERLAYFS_SUPER_MAGIC, "eCryptfs": unix.ECRYPTFS_SUPER_MAGIC, "FUSE": unix.FUSE_SUPER_MAGIC, "NFS": unix.NFS_SUPER_MAGIC,
		"SMB": unix.SMB2_SUPER_MAGIC, "CIFS": unix.CIFS_SUPER_MAGIC, "9P": unix.V9FS_MAGIC, "VirtualBox": 0x786f4256, "Ceph": unix.CEPH_SUPER_MAGIC,
		"AFS": unix.AFS_FS_MAGIC, "proc": unix.PROC_SUPER_MAGIC,
	} {
		if local[kind] {
			t.Errorf("%s is trusted to tell of all", name)
		}
	}
}

// TestBelowAnOverlay: what is written to a folder that an overlay shows is in the overlay, and nobody is told.
func TestBelowAnOverlay(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, ""); err != nil {
		t.Skip("nothing can be mounted: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	for _, name := range []string{"lower", "upper", "work", "shown"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shown := filepath.Join(dir, "shown")
	options := "lowerdir=" + filepath.Join(dir, "lower") + ",upperdir=" + filepath.Join(dir, "upper") + ",workdir=" + filepath.Join(dir, "work")
	if err := unix.Mount("overlay", shown, "overlay", 0, options); err != nil {
		t.Skip("no overlay can be mounted: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(shown, unix.MNT_DETACH) })
	if Tells(shown) {
		t.Error("it is trusted to tell of all")
	}
	if !Tells(dir) {
		t.Error("what is below is not")
	}
}
