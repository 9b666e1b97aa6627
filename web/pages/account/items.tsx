import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OperationName, Reply } from "#libs/contract/index.ts";
import { readAs } from "../../lib/api/request.ts";
import { type Action, Problem } from "../../lib/api/use-action.tsx";
import { type ReadState, useRead } from "../../lib/api/use-read.tsx";
import { CopyButton } from "../../lib/text/code.tsx";

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

interface SecretProps {
	/** What it is. */
	name: string;
	secret: string;
	children?: ComponentChildren;
}

/** A secret that is shown this once. */
export const NewSecret = ({ name, secret, children }: SecretProps) => (
	<div class="notice" role="status">
		<p>
			<b>{name}: copy it now.</b> It is shown this once.
		</p>
		<p>
			<code class="secret" translate={false}>
				{secret}
			</code>
		</p>
		<div class="toolbar">
			<CopyButton text={secret} />
			{children}
		</div>
	</div>
);

export interface List<N extends OperationName> {
	state: ReadState<Reply<N>>;
	/** Reads it anew. */
	again(): void;
}

const everyMs = 10_000;

/** What an account has of something. More than a page of it is read by programs. */
export function useList<N extends OperationName>(operation: N, path: string, apiKey: string): List<N> {
	const [times, setTimes] = useState(0);
	const ask = (signal: AbortSignal) => readAs(operation, path, apiKey, signal);
	return { state: useRead(`${path} ${times}`, ask, everyMs), again: () => setTimes((before) => before + 1) };
}
