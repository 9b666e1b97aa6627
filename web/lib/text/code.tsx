import { useEffect, useState } from "preact/hooks";
import type { Token } from "#libs/highlight/highlight.ts";

interface CodeProps {
	text: string;
	/** Name of the text, for the button's label. */
	name: string;
	/** Text that is copied instead of the text shown. */
	copied?: string;
	/** Language of the Markdown fence, for highlighting. */
	language?: string | undefined;
}

/** A program or a command, with a button that copies it. */
export const Code = ({ text, name, copied = text, language }: CodeProps) => (
	<div class="code">
		<pre>
			<code>{language === undefined ? text : <Highlighted text={text} language={language} />}</code>
		</pre>
		<CopyButton text={copied} what={name} class="small" />
	</div>
);

/** Shows the text, and highlights it once the highlighter is loaded. */
function Highlighted({ text, language }: { text: string; language: string }) {
	const [tokens, setTokens] = useState<Token[]>();
	useEffect(() => {
		setTokens(undefined);
		void import("#libs/highlight/highlight.ts").then(({ tokensOf }) => setTokens(tokensOf(text, language)));
	}, [text, language]);
	if (tokens === undefined) return text;
	return tokens.map(({ scope, text }, index) => (
		<span key={`${index}`} class={scope && `code-${scope}`}>
			{text}
		</span>
	));
}

interface CopyProps {
	/** The text, or a function that reads it when the button is pressed. */
	text: string | (() => Promise<string>);
	/** Name of the text, for screen readers. */
	what?: string;
	label?: string;
	class?: string | undefined;
}

const outcomeShownMs = 2_000;

export function CopyButton({ text, what, label = "Copy", class: look }: CopyProps) {
	const [outcome, setOutcome] = useState<string>();
	useEffect(() => {
		if (outcome === undefined) return;
		const timer = setTimeout(() => setOutcome(undefined), outcomeShownMs);
		return () => clearTimeout(timer);
	}, [outcome]);
	const copy = () =>
		Promise.resolve(typeof text === "string" ? text : text())
			.then((copied) => navigator.clipboard.writeText(copied))
			.then(
				() => setOutcome("Copied"),
				() => setOutcome("Not copied"),
			);
	const shown = outcome ?? label;
	return (
		<button type="button" class={look} onClick={copy} aria-label={what && `${shown} ${what}`}>
			{shown}
		</button>
	);
}
