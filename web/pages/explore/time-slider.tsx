import { useEffect, useState } from "preact/hooks";
import { read } from "../../lib/api.ts";
import { useRead } from "../../lib/use-read.ts";

const dayMs = 86_400_000;
const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
const numberOf = (day: string): number => Math.floor(Date.parse(day) / dayMs);

interface TimeSliderProps {
	as_of: string | undefined;
	choose(as_of: string | undefined): void;
}

/** From the first list to today, which is the present. */
export function TimeSlider({ as_of, choose }: TimeSliderProps) {
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
	const take = (number: number) => choose(number >= today ? undefined : dayOf(number));
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
			<button type="button" class="plain" disabled={as_of === undefined} onClick={() => choose(undefined)}>
				Now
			</button>
		</form>
	);
}
