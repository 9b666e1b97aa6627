import type { ComponentChildren } from "preact";

/** Names the page after what it is about: its heading, and with `more` its title. */
export function nameAfter(name: string, more?: string): void {
	const heading = document.querySelector("h1");
	if (heading !== null && heading.textContent !== name) heading.textContent = name;
	document.title = more === undefined ? name : `${name} (${more})`;
}

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

/** A page of one past day, where its address says `as_of`. */

/** As it stands in the address; the interface says what is wrong with it. */
export const dayOfAddress = (): string | undefined => new URLSearchParams(location.search).get("as_of") ?? undefined;

/** The same day in the address of another page, whose query it begins, or goes on with. */
export const dayQuery = (day: string | undefined, mark: "?" | "&" = "?"): string =>
	day === undefined ? "" : `${mark}as_of=${encodeURIComponent(day)}`;

/** Says that a page is of a past day, and leads to the present. */
export const OfDay = ({ day }: { day: string }) => (
	<p class="failure" role="note">
		As the lists of {day} and before have it. What is known of the present alone is left out.{" "}
		<a href={location.pathname}>The present</a>
	</p>
);
