import { useState } from "preact/hooks";

interface CopyProps {
	text: string;
	/** What the button says. */
	label?: string;
	class?: string;
}

/** Copies a text, and says so. */
export function Copy({ text, label = "Copy", class: look }: CopyProps) {
	const [copied, setCopied] = useState("");
	const copy = () =>
		navigator.clipboard.writeText(text).then(
			() => setCopied(text),
			() => setCopied(""),
		);
	return (
		<button type="button" class={look} onClick={copy}>
			{copied === text ? "Copied" : label}
		</button>
	);
}
