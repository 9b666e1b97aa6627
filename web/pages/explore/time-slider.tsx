import { useEffect, useState } from "preact/hooks";
import { read } from "../../lib/api.ts";
import { useRead } from "../../lib/use-read.ts";

const dayMs = 86_400_000;
const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
const numberOf = (day: string): number => Math.floor(Date.parse(day) / dayMs);

/** The newest day of a list that holds, by grid operator; null where there is none. */
type ListsOf = Record<string, string | null>;

interface TimeSliderProps {
	as_of: string | undefined;
	/** Of the day that is shown; undefined of the present. */
	listsOf: ListsOf | undefined;
	choose(as_of: string | undefined): void;
}

/**
 * From the first list to today, which is the present. A day on which no operator has a list is as the newest one before it: that one is
 * taken, unless it is the one that is shown.
 */
export function TimeSlider({ as_of, listsOf, choose }: TimeSliderProps) {
	const coverage = useRead("coverage", (signal) => read("getCoverage", "/coverage", {}, signal));
	const today = numberOf(new Date().toISOString());
	const first = coverage.data?.changes?.first;
	const earliest = Math.min(
		first == null ? today - 365 : numberOf(first),
		as_of === undefined ? today : numberOf(as_of),
	);
	const chosen = as_of === undefined ? today : numberOf(as_of);
	const [shown, setShown] = useState(chosen);
	useEffect(() => setShown(chosen), [chosen]);
	const [wanted, setWanted] = useState<number>();
	const found = useRead(`lists ${wanted}`, async (signal) => {
		if (wanted === undefined) return undefined;
		const query = { by: "status", as_of: dayOf(wanted), per_page: 1 };
		const { meta } = await read("groupProjects", "/projects/groups", query, signal);
		return { wanted, list: newestOf(meta.coverage) };
	});
	useEffect(() => {
		if (found.data === undefined || found.data.wanted !== wanted) return;
		const { list } = found.data;
		choose(list === undefined || list === newestOf(listsOf) ? dayOf(found.data.wanted) : list);
		setWanted(undefined);
	}, [found.data]);
	const take = (number: number) => {
		if (number < today) return setWanted(number);
		setWanted(undefined);
		choose(undefined);
	};
	return (
		<form class="time" onSubmit={(event) => event.preventDefault()}>
			<label for="as-of">As of</label>
			<input
				id="as-of"
				type="range"
				min={earliest}
				max={today}
				value={shown}
				aria-valuetext={shown >= today ? "Now" : dayOf(shown)}
				onInput={({ currentTarget }) => setShown(Number(currentTarget.value))}
				onChange={({ currentTarget }) => take(Number(currentTarget.value))}
			/>
			<input
				type="date"
				aria-label="Day"
				min={dayOf(earliest)}
				max={dayOf(today)}
				value={dayOf(shown)}
				onChange={({ currentTarget }) => currentTarget.validity.valid && take(numberOf(currentTarget.value))}
			/>
			<button type="button" class="plain" disabled={as_of === undefined} onClick={() => take(today)}>
				Now
			</button>
			{as_of !== undefined && listsOf !== undefined && <Lists of={listsOf} />}
		</form>
	);
}

/** Which list of each operator is shown: on most days few have a new one. */
const Lists = ({ of }: { of: ListsOf }) => (
	<p class="soft lists-of" data-lists>
		By the lists of{" "}
		{Object.entries(of)
			.map(([region, day]) => `${region} ${day ?? "none yet"}`)
			.join(" · ")}
	</p>
);

function newestOf(lists: ListsOf | undefined): string | undefined {
	return Object.values(lists ?? {})
		.filter((day) => day !== null)
		.toSorted()
		.at(-1);
}
