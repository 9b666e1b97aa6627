import type { ComponentChildren } from "preact";

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
