import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { count, counted } from "../../lib/text/format.ts";
import { type CalendarDay, calendarDays, levelOf } from "./calendar-days.ts";
import { longestDays } from "./filters.ts";

interface Props {
	region: string | undefined;
	last: string | undefined;
	day: string | undefined;
	choose(day: string | undefined): void;
}

/** How many changes the lists of each day of the last weeks showed. */
export function Calendar({ region, last, day, choose }: Props) {
	const query = { since_days: longestDays, region, as_of: last };
	const state = useOperation("summariseChanges", "/changes/summary", query, 60_000);
	const days = state.data && calendarDays(state.data.by_day, last === undefined ? new Date() : new Date(last));
	const most = Math.max(0, ...(days ?? []).map((one) => one.changes));
	return (
		<Section id="calendar" title="Calendar" reads={[state]}>
			{most === 0 && days && <p>No list of these weeks shows a change.</p>}
			{most > 0 && days && (
				<>
					<ol class="calendar" aria-label="Changes by day">
						{days.map((one) => (
							<Cell key={one.day} one={one} most={most} isChosen={one.day === day} choose={choose} />
						))}
					</ol>
					<p class="soft">
						One square a day (UTC), Monday at the top; none
						{[0, 1, 2, 3, 4].map((level) => (
							<i key={level} class={`square level-${level}`} />
						))}
						{count(most)} changes. Choose a day to see its changes alone.
					</p>
				</>
			)}
		</Section>
	);
}

interface CellProps {
	one: CalendarDay;
	most: number;
	isChosen: boolean;
	choose: Props["choose"];
}

const Cell = ({ one: { day, weekday, changes }, most, isChosen, choose }: CellProps) => (
	<li style={{ gridRowStart: weekday + 1 }}>
		<button
			type="button"
			class={`square level-${levelOf(changes, most)}`}
			data-day={day}
			aria-pressed={isChosen}
			aria-label={`${day}: ${counted(changes, "change")}`}
			title={`${day}: ${counted(changes, "change")}`}
			onClick={() => choose(isChosen ? undefined : day)}
		/>
	</li>
);
