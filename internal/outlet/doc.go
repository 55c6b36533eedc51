// Package outlet writes files and starts programs.
//
// It is the only package of the program that does, but for those that output_test.go in the root
// directory lists with all other ways out of the program. So the modes of files, what a run that is killed
// leaves behind, and the rule that no shell reads an argument are decided here:
//
//   - a file that appears under its name when it is complete: [Replace], [ReplaceAlone] and, for one
//     that is not in memory or gets one of several names, [Draft]
//   - a file that grows: [Create], [Append], [Overwrite]
//   - a file for another program, [Temporary], and one that shows whether a folder can be written, [Try]
//   - a program, on the terminal ([Program]) or apart from it ([Apart])
//
// Files are readable by their owner alone, as they may have secrets, unless the caller of [NewDraft]
// gives another mode. What is written is masked and made safe before it comes here.
//
// [Program], [Nowhere] and [PrivateFolder] do little by themselves: they are here so that the list has no
// other package that could start any program, or open any file.
package outlet
