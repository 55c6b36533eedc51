package styles

// A Glyph names a sign of the interface by its meaning.
type Glyph uint8

// The signs of the interface. Each takes one cell, in both tables.
const (
	// States of agents and tasks.
	Online    Glyph = iota // an agent that answers; a task at work
	Idle                   // not asked yet; submitted
	Waiting                // needs the user
	Done                   // completed
	Failed                 // failed, refused
	Rejected               // a task that the agent did not take
	Authorize              // needs the user's credentials
	Canceled               // ended by the user
	Unknown                // an unknown state
	Ailing                 // an agent that failed last

	// Directions and targets.
	Send    // from the user
	Receive // from the agent
	Reply   // answers a task
	Fork    // continues from an earlier turn
	Flag    // a finding
	Marked  // marked by the user
	Comment // written by the user about a record
	Prompt  // in front of the input
	Retry   // try again
	Pause   // does not follow
	Up      // more above
	Down    // more below

	// Lines.
	Bar         // the coloured edge of a turn
	Hair        // the edge of the selected row of a pane without the focus
	Horizontal  // rule, border
	Vertical    // border
	TopLeft     // corners of a pane
	TopRight    //
	BottomLeft  //
	BottomRight //
	TeeLeft     // a rule that starts at a border
	TeeRight    // a rule that ends at a border
	DocTop      // the thin edge of an artifact
	DocSide     //
	DocBottom   //
	Branch      // children in a tree
	LastBranch  //
	Thumb       // the visible part in a scroll bar
	Silence     // a pause on a time line
	Dotted      // the time between an end and a new beginning
	Solid       // a cell of a bar
	Broken      // the end of a stream that was cut
	Cut         // where a stream was cut, among the states of its task
	Here        // the cursor on an axis
	Played      // the part of a time line that is behind
	Earlier     // the value before
	Later       // the value after

	// Content.
	Folded
	Unfolded
	Bullet
	Separator // between words of a status line
	Ellipsis
	Block // the growing end of a stream
	File  // chips
	Image
	Link
	Delta   // heading of the time column
	Newline // the end of a line in text that is shown in one row
	Space   // a space at an end of such text
	Times   // multiplied by
	Minus

	// Spark is the lowest of eight bars; Spark+7 is the highest.
	Spark
	_
	_
	_
	_
	_
	_
	_

	// Spin is the first of eight frames of the spinner.
	Spin
	_
	_
	_
	_
	_
	_
	_

	glyphCount
)

// Steps is the number of bars from [Spark] on and of frames from [Spin] on.
const Steps = 8

// Glyphs is a table of signs, indexed by [Glyph].
type Glyphs [glyphCount]string

// Spark returns the bar for v out of limit: the lowest for nothing or less, the
// highest for limit or more.
func (g *Glyphs) Spark(v, limit int) string {
	if v <= 0 || limit <= 0 {
		return g[Spark]
	}
	step := min(int(float64(v)/float64(limit)*(Steps-1)+0.5), Steps-1)
	return g[int(Spark)+step]
}

// Spinner returns the frames of the spinner.
func (g *Glyphs) Spinner() []string { return g[Spin : Spin+Steps] }

// Unicode returns the table for terminals that can draw it.
func Unicode() Glyphs {
	var g Glyphs
	for i, twin := range table {
		g[i] = twin.unicode
	}
	return g
}

// ASCII returns the table for terminals that cannot draw the others, or that draw characters of
// ambiguous width in two cells. The layout is the same with both tables.
func ASCII() Glyphs {
	var g Glyphs
	for i, twin := range table {
		g[i] = twin.ascii
	}
	return g
}

// table defines all signs.
var table = [glyphCount]struct{ unicode, ascii string }{
	Online:    {"●", "*"},
	Idle:      {"○", "o"},
	Waiting:   {"◐", "?"},
	Done:      {"✓", "+"},
	Failed:    {"✕", "x"},
	Canceled:  {"⊘", "/"},
	Rejected:  {"⊗", "#"},
	Authorize: {"◒", "@"},
	Unknown:   {"◌", "."},
	Ailing:    {"▲", "!"},

	Send:    {"→", ">"},
	Receive: {"←", "<"},
	Reply:   {"↩", "^"},
	Fork:    {"⑂", "Y"},
	Flag:    {"⚑", "!"},
	Marked:  {"◆", "#"},
	Comment: {"✎", "\""},
	Prompt:  {"❯", ">"},
	Retry:   {"↻", "@"},
	Pause:   {"‖", "="},
	Up:      {"↑", "^"},
	Down:    {"↓", "v"},

	Bar:         {"▌", "|"},
	Hair:        {"▏", ":"},
	Horizontal:  {"─", "-"},
	Vertical:    {"│", "|"},
	TopLeft:     {"╭", "+"},
	TopRight:    {"╮", "+"},
	BottomLeft:  {"╰", "+"},
	BottomRight: {"╯", "+"},
	TeeLeft:     {"├", "+"},
	TeeRight:    {"┤", "+"},
	DocTop:      {"┌", "."},
	DocSide:     {"│", ":"},
	DocBottom:   {"└", "`"},
	Branch:      {"├", "|"},
	LastBranch:  {"└", "`"},
	Thumb:       {"┃", "#"},
	Silence:     {"┊", ":"},
	Dotted:      {"┄", "."},
	Solid:       {"█", "="},
	Broken:      {"╳", "X"},
	Cut:         {"↯", "!"},
	Here:        {"▲", "^"},
	Played:      {"━", "="},
	Earlier:     {"‹", "<"},
	Later:       {"›", ">"},

	Folded:    {"▸", ">"},
	Unfolded:  {"▾", "v"},
	Bullet:    {"•", "*"},
	Separator: {"·", "-"},
	Ellipsis:  {"…", "~"},
	Block:     {"█", "_"},
	File:      {"▤", "="},
	Image:     {"▣", "#"},
	Link:      {"↗", "@"},
	Delta:     {"Δ", "d"},
	Newline:   {"⏎", "\\"},
	Space:     {"␣", "_"},
	Times:     {"×", "x"},
	Minus:     {"−", "-"},

	Spark:     {"▁", "_"},
	Spark + 1: {"▂", "."},
	Spark + 2: {"▃", ","},
	Spark + 3: {"▄", "-"},
	Spark + 4: {"▅", "="},
	Spark + 5: {"▆", "+"},
	Spark + 6: {"▇", "*"},
	Spark + 7: {"█", "#"},

	Spin:     {"⣾", "|"},
	Spin + 1: {"⣽", "/"},
	Spin + 2: {"⣻", "-"},
	Spin + 3: {"⢿", "\\"},
	Spin + 4: {"⡿", "|"},
	Spin + 5: {"⣟", "/"},
	Spin + 6: {"⣯", "-"},
	Spin + 7: {"⣷", "\\"},
}
