import type { ComponentChildren } from "preact";

export type Fact = [name: string, value: ComponentChildren];

/** What is known of one thing, by name; what is null is left out. */
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
