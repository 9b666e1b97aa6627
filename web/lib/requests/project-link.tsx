import { dayQuery } from "../elements/page.tsx";
import { filed } from "../text/format.ts";

interface ProjectLinkProps {
	id: string;
	name: string | null;
	/** What it is called where its list has no name; by default its id. */
	otherwise?: string | null;
	/** Of the past, where it is shown as of then. */
	day?: string | undefined;
	longest?: number;
}

/** The page of a request, by its name as filed. */
export const ProjectLink = ({ id, name, otherwise, day, longest = 80 }: ProjectLinkProps) => (
	<a href={`/projects/${encodeURIComponent(id)}${dayQuery(day)}`}>{filed(name ?? otherwise ?? id, longest)}</a>
);
