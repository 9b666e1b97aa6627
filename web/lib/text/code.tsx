import { useEffect, useState } from "preact/hooks";

interface CodeProps {
	text: string;
	/** What it is, for the button. */
	name: string;
	/** What is copied, where that is not what is shown. */
	copied?: string;
}

/** A program or a command, with a button that copies it. */
export const Code = ({ text, name, copied = text }: CodeProps) => (
	<div class="code">
		<pre>
			<code>{text}</code>
		</pre>
		<CopyButton text={copied} what={name} class="small" />
	</div>
);

interface CopyProps {
	text: string;
	/** Said to readers who do not see what stands beside it. */
	what?: string;
	/** What the button says. */
	label?: string;
	class?: string | undefined;
}

const saidForMs = 2_000;

/** Copies a text, and says so. */
export function CopyButton({ text, what, label = "Copy", class: look }: CopyProps) {
	const [said, setSaid] = useState<string>();
	useEffect(() => {
		if (said === undefined) return;
		const timer = setTimeout(() => setSaid(undefined), saidForMs);
		return () => clearTimeout(timer);
	}, [said]);
	const copy = () =>
		navigator.clipboard.writeText(text).then(
			() => setSaid("Copied"),
			() => setSaid("Not copied"),
		);
	const shown = said ?? label;
	return (
		<button type="button" class={look} onClick={copy} aria-label={what && `${shown} ${what}`}>
			{shown}
		</button>
	);
}
