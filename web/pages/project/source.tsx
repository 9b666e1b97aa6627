import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { OriginOf } from "./origin.tsx";

/** Buttons that open where values of a request come from, and the place where the one that is chosen is shown. */
export function useSources(id: string, as_of: string | undefined) {
	const [chosen, choose] = useState<string>();
	const source = (field: string, name: string): ComponentChildren => (
		<button
			type="button"
			class="source"
			aria-label={`source of ${name}`}
			aria-expanded={chosen === field}
			onClick={() => choose(chosen === field ? undefined : field)}
		>
			source
		</button>
	);
	const shown: ComponentChildren = chosen !== undefined && (
		<OriginOf key={chosen} id={id} field={chosen} as_of={as_of} close={() => choose(undefined)} />
	);
	return { source, shown };
}
