import { useState } from "preact/hooks";

interface ConfirmedProps {
	label: string;
	/** What it does, for who is about to do it. */
	question: string;
	act(): void;
}

/** A button for what cannot be undone: it asks first. */
export function Confirmed({ label, question, act }: ConfirmedProps) {
	const [isAsked, setAsked] = useState(false);
	if (!isAsked)
		return (
			<button type="button" class="plain bad" onClick={() => setAsked(true)}>
				{label}
			</button>
		);
	const answer = (isMeant: boolean) => {
		setAsked(false);
		if (isMeant) act();
	};
	return (
		<span class="toolbar" role="alert">
			<span>{question}</span>
			<button type="button" class="plain bad" onClick={() => answer(true)}>
				Yes: {label.toLowerCase()}
			</button>
			<button type="button" class="plain" onClick={() => answer(false)}>
				Leave it
			</button>
		</span>
	);
}
