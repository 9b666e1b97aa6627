import { useEffect, useState } from "preact/hooks";

const saidForMs = 2_000;

/** Copies a text; `what` is said to readers who do not see what stands beside it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
	const [said, setSaid] = useState("Copy");
	useEffect(() => {
		if (said === "Copy") return;
		const timer = setTimeout(() => setSaid("Copy"), saidForMs);
		return () => clearTimeout(timer);
	}, [said]);
	const copy = () =>
		navigator.clipboard.writeText(text).then(
			() => setSaid("Copied"),
			() => setSaid("Not copied"),
		);
	return (
		<button type="button" class="small" onClick={copy} aria-label={`${said} ${what}`}>
			{said}
		</button>
	);
}
