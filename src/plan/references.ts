import type { Fault } from './input-error.js';
import { formatPath } from './json-path.js';
import { maximumDescription, maximumSubject, metadataLimits, type Plan, type Step } from './plan-schema.js';
import { citableFields, longestCitable, type StepResult } from './results.js';

/**
 * `{{payment.id}}`, `{{0.id}}`. Anything else that begins with double braces is refused, also what never ends,
 * so a misspelt one is never mailed.
 */
const citation = /\{\{([^]*?)(?:\}\}|$)/g;

interface CitingText {
  /** Below `args`. */
  path: string[];
  text: string;
  /** What the provider takes, in characters. */
  maximum: number;
}

/** The fields of a step's arguments in which citations are filled in. */
function citingTexts(step: Step): CitingText[] {
  switch (step.tool) {
    case 'charge':
      return [
        ...(step.args.description === undefined
          ? []
          : [{ path: ['description'], text: step.args.description, maximum: maximumDescription }]),
        ...Object.entries(step.args.metadata ?? {}).map(([name, text]) => ({
          path: ['metadata', name],
          text,
          maximum: metadataLimits.value,
        })),
      ];
    case 'email':
      return [
        { path: ['subject'], text: step.args.subject, maximum: maximumSubject },
        { path: ['text'], text: step.args.text, maximum: maximumText },
      ];
    default:
      return [];
  }
}

/** The index of the step that `reference` (an id, or an index as number or digits) names, or undefined. */
export function referencedIndex(plan: Plan, reference: string | number): number | undefined {
  const index = /^\d+$/.test(String(reference))
    ? Number(reference)
    : plan.steps.findIndex(({ id }) => id === reference);
  return index >= 0 && index < plan.steps.length ? index : undefined;
}

function referenceFault(plan: Plan, from: number, reference: string | number): string | undefined {
  const target = referencedIndex(plan, reference);
  if (target === undefined) return 'names a step that does not exist';
  return target < from ? undefined : 'must name an earlier step';
}

function citationFault(plan: Plan, from: number, cited: string): string | undefined {
  const [, name, field] = /^\{\{\s*([\w-]+)\.(\w+)\s*\}\}$/.exec(cited) ?? [];
  if (name === undefined || field === undefined) return 'is not of the form {{step.field}}';
  const problem = referenceFault(plan, from, name);
  if (problem) return problem;
  const tool = plan.steps[referencedIndex(plan, name) ?? 0]?.tool ?? 'charge';
  const fields: readonly string[] = citableFields[tool];
  if (fields.includes(field)) return undefined;
  return `cites a field that ${tool} does not give; it gives ${fields.join(', ')}`;
}

/** As large as a plan may be; with it in an activity's arguments a payload stays far below Temporal's 2 MiB. */
const maximumText = 512 * 1024;

/**
 * References to steps that are unknown, later, of the wrong kind, or that cite a field their tool does not give;
 * and texts that could grow too long for the provider.
 */
export function referenceFaults(plan: Plan): Fault[] {
  return plan.steps.flatMap((step, index) => {
    const faults: Fault[] = [];
    const add = (path: string[], message: string | undefined): void => {
      if (message) faults.push({ path: formatPath(['steps', index, 'args', ...path]), message });
    };
    if (step.tool === 'refund' || step.tool === 'lookup_charge') {
      const target = plan.steps[referencedIndex(plan, step.args.charge) ?? -1];
      add(
        ['charge'],
        referenceFault(plan, index, step.args.charge) ??
          (target?.tool === 'charge' ? undefined : 'must name a charge step'),
      );
    }
    for (const { path, text, maximum } of citingTexts(step)) {
      const citations = [...text.matchAll(citation)];
      const written = citations.reduce((length, [cited]) => length + cited.length, 0);
      if (text.length - written + citations.length * longestCitable > maximum) {
        add(path, `may be longer than ${maximum} characters when its citations are filled in, ${longestCitable} each`);
      }
      citations.forEach(([cited], position) => {
        const message = citationFault(plan, index, cited);
        // Counted instead of quoted: what stands between the braces may be anything.
        add(path, message && `citation ${position + 1} ${message}`);
      });
    }
    return faults;
  });
}

/** Fills in `{{step.field}}` from the results of earlier steps. The plan has passed `referenceFaults`. */
export function fillIn(plan: Plan, text: string, resultOf: (index: number) => StepResult): string {
  return text.replace(citation, (_match, inner: string) => {
    const [name = '', field = ''] = inner.trim().split('.');
    const result = resultOf(referencedIndex(plan, name) ?? -1);
    return String((result as unknown as Record<string, unknown>)[field]);
  });
}
