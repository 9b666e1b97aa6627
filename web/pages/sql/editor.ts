/**
 * The editor of statements. It is in a shadow tree, where it adds its styles as constructed style sheets, which the content security policy allows.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	EditorView,
	highlightActiveLineGutter,
	keymap,
	lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
	read(): string;
	/** Replaces the text; undo restores it. */
	write(sql: string): void;
	/** Inserts text at the cursor, with a space before it if it would otherwise extend a word. */
	insert(text: string): void;
	setCompletion(completion: Extension): void;
	/** Marks the word at an offset until the text changes, and scrolls to it; undefined removes the mark. */
	mark(offset: number | undefined): void;
	focus(): void;
	destroy(): void;
}

export interface EditorOptions {
	sql: string;
	label: string;
	/** Called for Ctrl-Enter or Cmd-Enter. */
	onRun(): void;
	onChange(sql: string): void;
}

const markAt = StateEffect.define<{ from: number; to: number } | undefined>();
const wrong = Decoration.mark({ class: "cm-wrong" });

const marks = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(shown, { docChanged, effects }) {
		for (const effect of effects)
			if (effect.is(markAt)) {
				const { value } = effect;
				return value === undefined ? Decoration.none : Decoration.set(wrong.range(value.from, value.to));
			}
		return docChanged ? Decoration.none : shown;
	},
	provide: (field) => EditorView.decorations.from(field),
});

/**
 * Handles typing over a selection: Chromium would preserve the look of the selected text with an inline style, which the content security policy
 * reports.
 */
const typedOver = EditorView.domEventHandlers({
	beforeinput({ inputType, data }, view) {
		const { from, to, empty } = view.state.selection.main;
		if (inputType !== "insertText" || data === null || empty || view.composing) return false;
		const insert = () =>
			view.state.update({
				changes: { from, to, insert: data },
				selection: { anchor: from + data.length },
				userEvent: "input.type",
				scrollIntoView: true,
			});
		const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
		if (!isHandled) view.dispatch(insert());
		return true;
	},
});

export function createEditor(host: HTMLElement, { sql, label, onRun, onChange }: EditorOptions): Editor {
	const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
	const language = new Compartment();
	const run = () => {
		onRun();
		return true;
	};
	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: sql,
			extensions: [
				Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
				lineNumbers(),
				highlightActiveLineGutter(),
				history(),
				bracketMatching(),
				closeBrackets(),
				autocompletion({ icons: false }),
				// Tab has no binding, so that keyboard users can leave the editor.
				keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
				EditorView.lineWrapping,
				EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) onChange(update.state.doc.toString());
				}),
				language.of([]),
				marks,
				typedOver,
				editorTheme,
			],
		}),
	});
	return {
		read: () => view.state.doc.toString(),
		write: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
		insert(text) {
			const { from } = view.state.selection.main;
			const space = /\w/.test(view.state.sliceDoc(Math.max(0, from - 1), from)) ? " " : "";
			view.dispatch(view.state.replaceSelection(`${space}${text}`));
			view.focus();
		},
		setCompletion: (completion) => view.dispatch({ effects: language.reconfigure(completion) }),
		mark(offset) {
			if (offset === undefined) return view.dispatch({ effects: markAt.of(undefined) });
			const range = wordAt(view.state.doc.toString(), offset);
			const effects = range === undefined ? [] : [markAt.of(range), EditorView.scrollIntoView(range.from)];
			view.dispatch({ selection: { anchor: offset }, effects });
		},
		focus: () => view.focus(),
		destroy: () => view.destroy(),
	};
}

/** Returns the range of the word that begins at the offset, or of one character. At the end of a line it is the character before the offset. */
function wordAt(text: string, offset: number): { from: number; to: number } | undefined {
	const [word] = /^(\w+|[^\n])/u.exec(text.slice(offset)) ?? [];
	if (word !== undefined) return { from: offset, to: offset + word.length };
	return offset > 0 && text[offset - 1] !== "\n" ? { from: offset - 1, to: offset } : undefined;
}

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
		maxHeight: "18rem",
		overflow: "auto",
	},
	".cm-content": { caretColor: "var(--ink)", padding: "0.6rem 0", minHeight: "7rem" },
	".cm-gutters": {
		color: "var(--soft)",
		backgroundColor: "var(--panel)",
		borderRight: "1px solid var(--line)",
		borderRadius: "0.4rem 0 0 0.4rem",
	},
	".cm-gutter": { minHeight: "7rem" },
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

const editorTheme = [look, syntaxHighlighting(colours)];
