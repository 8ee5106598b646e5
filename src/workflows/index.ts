// What the worker bundles: every export is a workflow.
export { agentPlan } from './agent-plan.js';
