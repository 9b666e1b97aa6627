import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../../lib/problem.tsx";
import type { Action } from "../../lib/use-action.ts";
import { Confirmed } from "./confirmed.tsx";

interface ItemProps {
	/** Of what kind it is, and its number. */
	kind: "watchlist" | "webhook";
	id: number;
	name: string;
	state: string;
	/** What else is known of it. */
	note: string;
	action: Action;
	/** What the first button of its row opens. */
	more: { label: string; content: ComponentChildren };
	remove: { question: string; act(): void };
	/** Its other buttons. */
	buttons?: ComponentChildren;
	/** What came of one. */
	outcome?: string | undefined;
}

/** Something that an account has: what it is, what can be done with it, and what came of that. */
export function Item({ kind, id, name, state, note, action, more, remove, buttons, outcome }: ItemProps) {
	const [isOpen, setOpen] = useState(false);
	return (
		<li {...{ [`data-${kind}`]: id }}>
			<p>
				<b>{name}</b> · {state} <span class="soft">· {note}</span>
			</p>
			<div class="toolbar">
				<button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					{more.label}
				</button>
				{buttons}
				<Confirmed label="Delete" {...remove} />
			</div>
			<Problem action={action} />
			{outcome !== undefined && <p role="status">{outcome}</p>}
			{isOpen && more.content}
		</li>
	);
}
