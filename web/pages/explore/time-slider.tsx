import { useEffect, useState } from "preact/hooks";
import { useOperation } from "../../lib/api/use-read.tsx";
import { counted } from "../../lib/text/format.ts";
import { dayFromNumber, dayNumber, type ListDay, mergeListDays, sliderStop } from "./list-days.ts";

/** The day of each grid operator's newest list; null if it has none yet. */
type ListsOf = Record<string, string | null>;

interface TimeSliderProps {
	as_of: string | undefined;
	/** Undefined for the present. */
	listsOf: ListsOf | undefined;
	choose(as_of: string | undefined): void;
}

/** A slider from the first list to the present that stops only at days with lists, and a field for any day. */
export function TimeSlider({ as_of, listsOf, choose }: TimeSliderProps) {
	const coverage = useOperation("getCoverage", "/coverage");
	const days = mergeListDays(coverage.data?.queues ?? []);
	const today = dayNumber(new Date().toISOString());
	const chosen = as_of === undefined ? today : dayNumber(as_of);
	const first = coverage.data?.changes.first;
	const earliest = Math.min(
		first == null ? today - 365 : dayNumber(first),
		...days.slice(0, 1).map(({ day }) => day),
		chosen,
	);
	const [shown, setShown] = useState(chosen);
	useEffect(() => setShown(chosen), [chosen]);
	const take = (number: number) => choose(number < today ? dayFromNumber(number) : undefined);
	return (
		<form class="time" onSubmit={(event) => event.preventDefault()}>
			<label for="as-of">As of</label>
			<div class="slider">
				<input
					id="as-of"
					type="range"
					min={earliest}
					max={today}
					value={shown}
					aria-valuetext={shown >= today ? "Now" : dayFromNumber(shown)}
					onInput={({ currentTarget }) => {
						const stop = sliderStop(days, shown, Number(currentTarget.value), today);
						currentTarget.value = String(stop);
						setShown(stop);
					}}
					onChange={({ currentTarget }) => take(Number(currentTarget.value))}
				/>
				<Ticks days={days} from={earliest} to={today} />
			</div>
			<input
				type="date"
				aria-label="Day"
				min={dayFromNumber(earliest)}
				max={dayFromNumber(today)}
				value={dayFromNumber(shown)}
				onChange={({ currentTarget }) => currentTarget.validity.valid && take(dayNumber(currentTarget.value))}
			/>
			<button type="button" class="plain" disabled={as_of === undefined} onClick={() => take(today)}>
				Now
			</button>
			{as_of !== undefined && listsOf !== undefined && <Lists of={listsOf} />}
		</form>
	);
}

/** Maximum height of a line: the number of operators. */
const maxHeight = 7;

/** Draws a line for each day with lists. The more operators have a list of the day, the longer is the line. */
function Ticks({ days, from, to }: { days: readonly ListDay[]; from: number; to: number }) {
	if (days.length === 0) return null;
	const text = `${counted(days.length, "day")} with a list, from ${dayFromNumber(days[0]?.day ?? from)} to ${dayFromNumber(days.at(-1)?.day ?? to)}`;
	const lines = days.map(({ day, operators }) => `M${day - from} 0V${2 + Math.min(operators, maxHeight)}`);
	return (
		<svg
			class="ticks"
			role="img"
			aria-label={text}
			data-days={days.map(({ day }) => dayFromNumber(day)).join()}
			viewBox={`0 0 ${Math.max(1, to - from)} ${2 + maxHeight}`}
			preserveAspectRatio="none"
		>
			<path d={lines.join("")} vector-effect="non-scaling-stroke" />
		</svg>
	);
}

/** Shows the day of each operator's list, because few operators have a new list on any given day. */
const Lists = ({ of }: { of: ListsOf }) => (
	<p class="soft lists-of" data-lists>
		By the lists of{" "}
		{Object.entries(of)
			.map(([region, day]) => `${region} ${day ?? "none yet"}`)
			.join(" · ")}
	</p>
);
