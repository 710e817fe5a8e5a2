// One file for the pages of this place: whoever sees the projects is about to open one.
export { ProjectPage } from './ProjectPage'
export { ProjectsPage } from './ProjectsPage'
