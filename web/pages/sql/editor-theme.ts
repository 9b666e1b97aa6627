/** The editor in the colours of the page, whose variables reach into its shadow tree. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
	"&": {
		color: "var(--ink)",
		backgroundColor: "var(--page)",
		border: "1px solid var(--edge)",
		borderRadius: "0.4rem",
		fontSize: "0.95rem",
	},
	"&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
	".cm-scroller": {
		fontFamily: "ui-monospace, monospace",
		lineHeight: "1.5",
		maxHeight: "26rem",
		overflow: "auto",
	},
	".cm-content": { caretColor: "var(--ink)", padding: "0.6rem 0", minHeight: "11rem" },
	".cm-gutters": {
		color: "var(--soft)",
		backgroundColor: "var(--panel)",
		borderRight: "1px solid var(--line)",
		borderRadius: "0.4rem 0 0 0.4rem",
	},
	".cm-gutter": { minHeight: "11rem" },
	".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "transparent", fontWeight: "600" },
	"&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--panel)", outline: "1px solid var(--edge)" },
	".cm-wrong": { textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px" },
	".cm-tooltip": {
		color: "var(--ink)",
		backgroundColor: "var(--page)",
		border: "1px solid var(--edge)",
		borderRadius: "0.4rem",
	},
	".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "ui-monospace, monospace", maxHeight: "15rem" },
	".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.6rem" },
	".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
	".cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
	".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
	".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal", marginLeft: "1em" },
	".cm-tooltip.cm-completionInfo": {
		padding: "0.5rem 0.7rem",
		maxWidth: "22rem",
		font: "0.9rem/1.45 system-ui, sans-serif",
	},
});

const colours = HighlightStyle.define([
	{ tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
	{ tag: tags.string, color: "light-dark(#2b6a1e, #a4d68c)" },
	{ tag: [tags.number, tags.bool, tags.null], color: "light-dark(#8a4208, #f2b37d)" },
	{ tag: tags.typeName, color: "light-dark(#6a3a9c, #cba9f7)" },
	{ tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

export const editorTheme = [look, syntaxHighlighting(colours)];
