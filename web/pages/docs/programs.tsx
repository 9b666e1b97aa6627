import { type Call, languages, programOf } from "#libs/documents/programs.ts";
import { Code } from "../../lib/code.tsx";
import type { Shared } from "./shared.ts";

interface ProgramsProps {
	call: Call;
	shared: Pick<Shared, "language" | "setLanguage">;
}

/** The call with the values above, as a command or a program. */
export const Programs = ({ call, shared: { language, setLanguage } }: ProgramsProps) => (
	<div class="programs">
		<fieldset>
			<legend>The call in</legend>
			{languages.map((each) => (
				<button
					key={each}
					type="button"
					class="small"
					aria-pressed={each === language}
					onClick={() => setLanguage(each)}
				>
					{each}
				</button>
			))}
		</fieldset>
		<Code text={programOf[language](call, location.origin)} name={`the call in ${language}`} />
		{call.secret === "key" && (
			<p class="soft">
				The key is read from the environment: <code>export KEY=pk_...</code>; without one leave the header out.
			</p>
		)}
		{call.secret === "credits" && (
			<p class="soft">
				The token is read from the environment: <code>export CREDITS=cr_...</code>
			</p>
		)}
	</div>
);
