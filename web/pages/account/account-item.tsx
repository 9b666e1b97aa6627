import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OperationName, Reply } from "#libs/contract/index.ts";
import { readAs } from "../../lib/api/request.ts";
import { type Action, Problem } from "../../lib/api/use-action.tsx";
import { type ReadState, useRead } from "../../lib/api/use-read.tsx";
import { CopyButton } from "../../lib/text/code.tsx";

interface ItemProps {
	kind: "watchlist" | "webhook";
	id: number;
	name: string;
	state: string;
	note: string;
	action: Action;
	more: { label: string; content: ComponentChildren };
	remove: { question: string; act(): void };
	buttons?: ComponentChildren;
	outcome?: string | undefined;
}

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
	question: string;
	act(): void;
}

/** A button for an irreversible action, which must be confirmed. */
export function Confirmed({ label, question, act }: ConfirmedProps) {
	const [isOpen, setOpen] = useState(false);
	if (!isOpen)
		return (
			<button type="button" class="plain bad" onClick={() => setOpen(true)}>
				{label}
			</button>
		);
	const close = (isConfirmed: boolean) => {
		setOpen(false);
		if (isConfirmed) act();
	};
	return (
		<span class="toolbar" role="alert">
			<span>{question}</span>
			<button type="button" class="plain bad" onClick={() => close(true)}>
				Yes: {label.toLowerCase()}
			</button>
			<button type="button" class="plain" onClick={() => close(false)}>
				Cancel
			</button>
		</span>
	);
}

interface SecretProps {
	name: string;
	secret: string;
	children?: ComponentChildren;
}

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
	reload(): void;
}

const everyMs = 10_000;
const pendingMs = 1_000;

/** Reads the first page of a list of the account. If `isPending` returns true, it is read again sooner, because something in it will change. */
export function useList<N extends OperationName>(
	operation: N,
	path: string,
	apiKey: string,
	isPending: (list: Reply<N>) => boolean = () => false,
): List<N> {
	const [times, setTimes] = useState(0);
	const run = (signal: AbortSignal) => readAs(operation, path, apiKey, signal);
	const state = useRead(`${path} ${times}`, run, (list) => (isPending(list) ? pendingMs : everyMs));
	return { state, reload: () => setTimes((before) => before + 1) };
}
