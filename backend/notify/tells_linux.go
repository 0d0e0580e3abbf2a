package notify

import "golang.org/x/sys/unix"

// local are the kinds of file systems of which all that changes in them changes through this system. One that shows the folders of another
// is not among them, as overlayfs and eCryptfs are: of what is written to those nobody who watches it is told.
var local = map[int64]bool{
	unix.EXT4_SUPER_MAGIC: true, unix.XFS_SUPER_MAGIC: true, unix.BTRFS_SUPER_MAGIC: true, unix.F2FS_SUPER_MAGIC: true, unix.TMPFS_MAGIC: true,
	0x2fc12fc1: true /* ZFS */, 0xca451a4e: true, /* bcachefs */
}

// Tells says whether the system tells of whatever changes in a folder that is watched. Of one on a network, of another machine that this one
// is a guest of, or that shows another folder, it tells only what programs do there.
func Tells(folder string) bool {
	var stat unix.Statfs_t
	return unix.Statfs(folder, &stat) == nil && local[int64(stat.Type)] //nolint:unconvert,nolintlint // it is another type on other processors
}
