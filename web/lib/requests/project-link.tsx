import type { ComponentChildren } from "preact";
import { safeText } from "../text/format.ts";

interface ProjectLinkProps {
	id: string;
	name: string | null;
	/** Shown if the list has no name (the ID when absent). */
	fallback?: string | null;
	day?: string | undefined;
	longest?: number;
}

export const ProjectLink = ({ id, name, fallback, day, longest = 80 }: ProjectLinkProps) => (
	<a href={`/projects/${encodeURIComponent(id)}${dayQuery(day)}`}>{safeText(name ?? fallback ?? id, longest)}</a>
);

/** The day (`as_of`) in the page's URL. It is not validated here, but by the API. */
export const dayOfAddress = (): string | undefined => new URLSearchParams(location.search).get("as_of") ?? undefined;

/** The query for a link to a page that shows the same day. */
export const dayQuery = (day: string | undefined, mark: "?" | "&" = "?"): string =>
	day === undefined ? "" : `${mark}as_of=${encodeURIComponent(day)}`;

export const PastDayNotice = ({ day }: { day: string }) => (
	<p class="failure" role="note">
		As the lists of {day} and before have it. Facts that are known only of the present are left out.{" "}
		<a href={location.pathname}>The present</a>
	</p>
);

/** A link to the developer, or plain text if the developer's ID is unknown. */
export const DeveloperLink = ({ id, name }: { id: number | null; name: string }): ComponentChildren =>
	id === null ? safeText(name) : <a href={`/developers/${id}`}>{safeText(name)}</a>;
