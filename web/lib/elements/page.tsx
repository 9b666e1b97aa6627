import { type ComponentChildren, render, type VNode } from "preact";
import { Failed, type ReadState } from "../api/use-read.tsx";

/** Renders a page in place of what the gateway wrote for readers without scripts. */
export function mount(page: VNode): void {
	const root = document.getElementById("page");
	if (root === null) return;
	root.textContent = "";
	render(page, root);
}

export function setHeading(name: string, title = name): void {
	const heading = document.querySelector("h1");
	if (heading !== null && heading.textContent !== name) heading.textContent = name;
	document.title = title;
}

interface SectionProps {
	id: string;
	title: ComponentChildren;
	/**
	 * Reads whose failures are shown below the title. Content below the section is shown only after these reads have finished, so that it does not
	 * move.
	 */
	reads?: ReadState<unknown>[];
	children: ComponentChildren;
}

export const Section = ({ id, title, reads = [], children }: SectionProps) => (
	<section aria-labelledby={id} aria-busy={reads.some(({ data, isStale }) => isStale && data === undefined)}>
		<h2 id={id}>{title}</h2>
		{reads.map((state, at) => (
			<Failed key={at} state={state} />
		))}
		{children}
	</section>
);

/** `key` identifies a figure in tests. */
export type Figure = [name: string, value: ComponentChildren, key?: string];

export const Figures = ({ figures }: { figures: Figure[] }) => (
	<dl class="figures">
		{figures.map(([name, value, key]) => (
			<div key={name}>
				<dt>{name}</dt>
				<dd data-figure={key}>{value}</dd>
			</div>
		))}
	</dl>
);

export type Fact = [name: string, value: ComponentChildren];

/** A list of facts by name, without those that are null. */
export const FactList = ({ facts }: { facts: Fact[] }) => (
	<dl class="facts">
		{facts
			.filter(([, value]) => value !== null)
			.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
	</dl>
);

interface TitledProps<T> {
	title: ComponentChildren;
	rows: readonly T[];
	item(row: T): ComponentChildren;
	class?: string;
}

/** A list with a title, or nothing if it is empty. */
export const TitledList = <T,>({ title, rows, item, class: look }: TitledProps<T>) =>
	rows.length > 0 && (
		<>
			<h3>{title}</h3>
			<ul class={look}>{rows.map(item)}</ul>
		</>
	);
